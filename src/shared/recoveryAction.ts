import { isNothing, isOneOf } from './guards';
import { command } from './protocol';

/** Recovery actions of a page for content that can't be shown. */
const waysOut = ['retry', 'signIn', 'startLocalFleet'] as const;
export type RecoveryAction = (typeof waysOut)[number];
export const isRecoveryAction = isOneOf(...waysOut);

/** Recovery actions that the page can't run itself. */
export type HostRecoveryAction = Exclude<RecoveryAction, 'retry'>;

/** Button labels of the recovery actions. */
export type RecoveryActionLabels = Readonly<Record<RecoveryAction, string>>;

/**
 * Messages with which a page reports the selected recovery action; the page handles retries itself.
 * Content that couldn't be loaded is reloaded afterward.
 */
export const recoveryMessages = {
  signIn: command(isNothing),
  startLocalFleet: command(isNothing),
} as const satisfies Readonly<Record<HostRecoveryAction, unknown>>;

/** Returns the recovery action for the action of an error. */
export function toRecoveryAction(action: string | undefined): RecoveryAction {
  return action === 'signIn' || action === 'startLocalFleet' ? action : 'retry';
}
