import * as l10n from '@vscode/l10n';
import type { RecoveryAction } from '../../src/shared/recoveryAction';
import { button, element } from './elements';

/** A problem that prevents content from being shown or updated. */
export interface ErrorState {
  readonly message: string;
  readonly recovery: RecoveryAction;
}

export type RecoveryHandlers = Readonly<Record<RecoveryAction, () => void>>;

/** Returns the button label for a recovery action. */
export function getRecoveryLabel(action: RecoveryAction): string {
  switch (action) {
    case 'retry':
      return l10n.t('Retry');
    case 'signIn':
      return l10n.t('Sign In');
    case 'startLocalFleet':
      return l10n.t('Start Local Fleet');
  }
}

/**
 * Shows a problem with the content and the recovery actions.
 * @param failed sentence that says what failed
 */
export function createErrorBox(
  errorState: ErrorState,
  failed: string,
  actions: RecoveryHandlers,
): HTMLElement {
  const parts = createErrorContent(errorState, failed, actions);
  return element('div', { class: 'failure', role: 'alert' }, ...parts);
}

/**
 * Returns the contents of an error box, for boxes that remain in the document when their contents
 * change.
 */
export function createErrorContent(
  { message, recovery }: ErrorState,
  failed: string,
  actions: RecoveryHandlers,
): HTMLElement[] {
  return [
    element('p', {}, element('strong', {}, failed), ' ', message),
    button(getRecoveryLabel(recovery), actions[recovery], { focusKey: recovery, primary: true }),
  ];
}
