import { button, element } from './elements';

/** Why something cannot be shown as it is. */
export interface Trouble {
  readonly message: string;
  readonly canSignIn: boolean;
}

interface TroubleWords {
  readonly failed: string;
  readonly retry: string;
  readonly signIn: string;
}

interface TroubleActions {
  readonly retry: () => void;
  readonly signIn: () => void;
}

/** Says why something cannot be shown as it is, and what can be done about it. */
export function troubleBox(
  trouble: Trouble,
  words: TroubleWords,
  actions: TroubleActions,
): HTMLElement {
  const parts = troubleParts(trouble, words, actions);
  return element('div', { class: 'failure', role: 'alert' }, ...parts);
}

/** The same for a box that stays where it is. */
export function troubleParts(
  { message, canSignIn }: Trouble,
  { failed, retry, signIn }: TroubleWords,
  actions: TroubleActions,
): HTMLElement[] {
  return [
    element('p', {}, element('strong', {}, failed), ' ', message),
    canSignIn
      ? button(signIn, actions.signIn, { focusKey: 'sign in', primary: true })
      : button(retry, actions.retry, { focusKey: 'retry', primary: true }),
  ];
}
