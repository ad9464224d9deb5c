import { button, element } from '../ui/elements';
import type { RegistryItemStrings } from '../../src/shared/registryItemStrings';

export interface Trouble {
  readonly message: string;
  readonly canSignIn: boolean;
}

/** Says why the item cannot be shown as it is, and what can be done about it. */
export function troubleBox(
  { message, canSignIn }: Trouble,
  { failed, retry, signIn }: RegistryItemStrings,
  actions: { readonly retry: () => void; readonly signIn: () => void },
): HTMLElement {
  return element(
    'div',
    { class: 'failure', role: 'alert' },
    element('p', {}, element('strong', {}, failed), ' ', message),
    canSignIn
      ? button(signIn, actions.signIn, { focusKey: 'sign in', primary: true })
      : button(retry, actions.retry, { focusKey: 'retry', primary: true }),
  );
}
