import { isNothing, isOneOf } from './guards';
import { command } from './protocol';

/** Recovery actions of a page for content that can't be shown. */
const waysOut = ['retry', 'signIn', 'startLocalFleet'] as const;
export type WayOut = (typeof waysOut)[number];
export const isWayOut = isOneOf(...waysOut);

/** Recovery actions that the page can't run itself. */
export type HostWayOut = Exclude<WayOut, 'retry'>;

/** Button labels of the recovery actions. */
export type WayOutWords = Readonly<Record<WayOut, string>>;

/**
 * Messages with which a page reports the selected recovery action; the page handles retries itself.
 * Content that couldn't be loaded is reloaded afterward.
 */
export const wayOutMessages = {
  signIn: command(isNothing),
  startLocalFleet: command(isNothing),
} as const satisfies Readonly<Record<HostWayOut, unknown>>;

/** Returns the recovery action for the action of an error. */
export function wayOutOf(action: string | undefined): WayOut {
  return action === 'signIn' || action === 'startLocalFleet' ? action : 'retry';
}
