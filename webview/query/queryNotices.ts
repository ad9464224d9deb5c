import * as l10n from '@vscode/l10n';
import { getRecoveryLabel } from '../ui/createErrorBox';
import { getExampleNames, type QueryExample, queryExamples } from './exampleQueries';
import type { HostRecoveryAction } from '../../src/shared/recoveryAction';
import { button, element } from '../ui/elements';
import type { QueryErrorState } from '../../src/shared/query/queryPanel';

/**
 * Shows why queries can't be run, as long as the reason applies. The text in the editor isn't
 * affected.
 */
export class ErrorBanner {
  readonly element = element('div', { class: 'query-trouble', role: 'alert' });

  constructor(private readonly recover: (recovery: HostRecoveryAction) => void) {
    this.element.hidden = true;
  }

  show({ problem, recovery = 'retry' }: QueryErrorState): void {
    this.element.hidden = problem === undefined;
    this.element.replaceChildren();
    if (problem === undefined) return;

    this.element.append(element('p', {}, problem));
    // The host retries automatically.
    if (recovery === 'retry') return;

    this.element.append(
      button(getRecoveryLabel(recovery), () => this.recover(recovery), {
        focusKey: recovery,
        primary: true,
      }),
    );
  }
}

/** Placeholder shown before the first run, with example queries. */
export class EmptyState {
  readonly element: HTMLElement;

  constructor({
    use,
    getText,
  }: {
    use: (example: QueryExample) => void;
    getText: (one: QueryExample) => string;
  }) {
    const names = getExampleNames();
    const examples = queryExamples.map((example) => {
      const made = element(
        'button',
        { type: 'button', class: 'query-example', 'data-focus': `example ${example}` },
        element('span', { class: 'example-title' }, names[example]),
        element('code', { class: 'example-text' }, getText(example)),
      );
      made.addEventListener('click', () => use(example));
      return element('li', {}, made);
    });
    this.element = element(
      'div',
      { class: 'query-empty' },
      element('h2', {}, l10n.t('Run a query to see results here.')),
      element('p', { class: 'faint' }, l10n.t('Write and run a query, or start from an example:')),
      element('ul', { class: 'query-examples' }, ...examples),
    );
  }
}
