import type { LogStrings } from '../../src/shared/logStrings';
import type { HostRecoveryAction } from '../../src/shared/recoveryAction';
import { toErrorState } from '../messaging/toErrorState';
import { element, textButton } from '../ui/elements';

/** Shows the last error until the user dismisses it or an operation succeeds. */
export class FailureBar {
  readonly element = element('div', { class: 'failure', role: 'alert' });

  constructor(
    private readonly strings: LogStrings,
    private readonly recover: (way: HostRecoveryAction) => void,
    private readonly onDismiss: () => void,
  ) {
    this.clear();
  }

  show(error: unknown): void {
    const { failed, dismiss } = this.strings.failure;
    const { message, way } = toErrorState(error);
    this.element.hidden = false;
    this.element.replaceChildren(element('span', {}, `${failed} ${message}`));
    if (way !== 'retry') this.offer(this.strings.ways[way], way, () => this.recover(way));
    this.offer(dismiss, 'dismiss', () => undefined);
  }

  clear(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
  }

  private offer(label: string, focusKey: string, act: () => void): void {
    const press = (): void => {
      this.clear();
      this.onDismiss();
      act();
    };
    this.element.append(textButton(label, press, { focusKey, hint: label }));
  }
}
