import type { LogStrings } from '../../src/shared/logStrings';
import { element, textButton } from '../ui/elements';

/** What went wrong last, until it is dismissed or something works. */
export class FailureBar {
  readonly element = element('div', { class: 'failure', role: 'alert' });

  constructor(
    private readonly strings: LogStrings,
    private readonly onDismiss: () => void,
  ) {
    this.clear();
  }

  show(error: unknown): void {
    const { failed, dismiss } = this.strings.failure;
    const reason = error instanceof Error ? error.message : String(error);
    const press = (): void => {
      this.clear();
      this.onDismiss();
    };
    this.element.hidden = false;
    this.element.replaceChildren(
      element('span', {}, `${failed} ${reason}`),
      textButton(dismiss, press, { focusKey: 'dismiss', hint: dismiss }),
    );
  }

  clear(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
  }
}
