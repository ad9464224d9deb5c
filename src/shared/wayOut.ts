import { isNothing, isOneOf } from './guards';
import { command } from './protocol';

/** What a person can do in a page about something that cannot be shown. */
const waysOut = ['retry', 'signIn', 'startLocalFleet'] as const;
export type WayOut = (typeof waysOut)[number];
export const isWayOut = isOneOf(...waysOut);

/** What the page cannot do by itself. */
export type HostWayOut = Exclude<WayOut, 'retry'>;

/** The words on the button of each. */
export type WayOutWords = Readonly<Record<WayOut, string>>;

/**
 * How a page says which of them a person has chosen; trying again is its own affair. What could not be read
 * is read again after that.
 */
export const wayOutMessages = {
  signIn: command(isNothing),
  startLocalFleet: command(isNothing),
} as const satisfies Readonly<Record<HostWayOut, unknown>>;

/** What helps by what an error says of itself. */
export function wayOutOf(action: string | undefined): WayOut {
  return action === 'signIn' || action === 'startLocalFleet' ? action : 'retry';
}
