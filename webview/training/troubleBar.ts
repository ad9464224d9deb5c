import type { TrainingStrings } from '../../src/shared/trainingStrings';
import { HostError } from '../messaging/hostConnection';
import { button, element } from '../ui/elements';

/** Says why jobs cannot be shown as they are, and what can be done about it. */
export class TroubleBar {
  readonly element = element('div', { class: 'failure', role: 'alert' });

  constructor(
    private readonly strings: TrainingStrings,
    private readonly actions: { readonly retry: () => void; readonly signIn: () => void },
  ) {
    this.clear();
  }

  get isShown(): boolean {
    return !this.element.hidden;
  }

  show(error: unknown): void {
    const { failed, retry, signIn } = this.strings;
    const message = error instanceof Error ? error.message : String(error);
    const canSignIn = error instanceof HostError && error.action === 'signIn';
    this.element.hidden = false;
    this.element.replaceChildren(
      element('p', {}, element('strong', {}, failed), ' ', message),
      canSignIn
        ? button(signIn, this.actions.signIn, { focusKey: 'sign in', primary: true })
        : button(retry, this.actions.retry, { focusKey: 'retry', primary: true }),
    );
  }

  clear(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
  }
}
