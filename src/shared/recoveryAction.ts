import { isUndefined, isOneOf } from './guards';
import { command } from './protocol';

/** Recovery actions that a page offers if it can't show its content. */
const recoveryActions = ['retry', 'signIn', 'startLocalFleet'] as const;
export type RecoveryAction = (typeof recoveryActions)[number];
export const isRecoveryAction = isOneOf(...recoveryActions);

/** Recovery actions that the page can't run itself. */
export type HostRecoveryAction = Exclude<RecoveryAction, 'retry'>;

/**
 * Messages with which a page reports the selected recovery action. The page handles retries itself.
 * After the action, content that couldn't be loaded is loaded again.
 */
export const recoveryMessages = {
  signIn: command(isUndefined),
  startLocalFleet: command(isUndefined),
} as const satisfies Readonly<Record<HostRecoveryAction, unknown>>;

/** Returns the recovery action that corresponds to an error's action. */
export function toRecoveryAction(action: string | undefined): RecoveryAction {
  return action === 'signIn' || action === 'startLocalFleet' ? action : 'retry';
}
