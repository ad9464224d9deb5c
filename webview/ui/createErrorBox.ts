import type { RecoveryAction, RecoveryActionLabels } from '../../src/shared/recoveryAction';
import { button, element } from './elements';

/** A problem that prevents content from being shown or updated. */
export interface ErrorState {
  readonly message: string;
  readonly way: RecoveryAction;
}

interface ErrorBoxLabels extends RecoveryActionLabels {
  readonly failed: string;
}

export type RecoveryHandlers = Readonly<Record<RecoveryAction, () => void>>;

/** Shows a problem with the content and the recovery actions. */
export function createErrorBox(
  errorState: ErrorState,
  labels: ErrorBoxLabels,
  actions: RecoveryHandlers,
): HTMLElement {
  const parts = createErrorContent(errorState, labels, actions);
  return element('div', { class: 'failure', role: 'alert' }, ...parts);
}

/**
 * Returns the contents of an error box, for boxes that stay in the document when their contents
 * change.
 */
export function createErrorContent(
  { message, way }: ErrorState,
  labels: ErrorBoxLabels,
  actions: RecoveryHandlers,
): HTMLElement[] {
  return [
    element('p', {}, element('strong', {}, labels.failed), ' ', message),
    button(labels[way], actions[way], { focusKey: way, primary: true }),
  ];
}
