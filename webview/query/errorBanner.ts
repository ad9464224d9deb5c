import type { QueryErrorState } from '../../src/shared/query/queryPanel';
import type { HostRecoveryAction, RecoveryActionLabels } from '../../src/shared/recoveryAction';
import { button, element } from '../ui/elements';

/**
 * Shows why queries can't be run, as long as the reason applies. The text in the editor isn't
 * affected.
 */
export class ErrorBanner {
  readonly element = element('div', { class: 'query-trouble', role: 'alert' });

  constructor(
    private readonly labels: RecoveryActionLabels,
    private readonly recover: (way: HostRecoveryAction) => void,
  ) {
    this.element.hidden = true;
  }

  show({ problem, way = 'retry' }: QueryErrorState): void {
    this.element.hidden = problem === undefined;
    this.element.replaceChildren();
    if (problem === undefined) return;
    this.element.append(element('p', {}, problem));
    // The host retries automatically.
    if (way === 'retry') return;
    this.element.append(
      button(this.labels[way], () => this.recover(way), { focusKey: way, primary: true }),
    );
  }
}
