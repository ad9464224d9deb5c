import { isNothing, isOneOf } from './guards';
import { command } from './protocol';

/** What a person can do in a page about something that cannot be shown. */
const waysOut = ['retry', 'signIn', 'startLocalFleet'] as const;
export type WayOut = (typeof waysOut)[number];
export const isWayOut = isOneOf(...waysOut);

/** The words on the button of each. */
export type WayOutWords = Readonly<Record<WayOut, string>>;

/**
 * How a page says which of them a person has chosen. The host does it, and has what could not be read read
 * again; trying again alone is the page's own affair.
 */
export const wayOutMessages = {
  signIn: command(isNothing),
  startLocalFleet: command(isNothing),
} as const;

/** What helps by what an error says of itself. */
export function wayOutOf(action: string | undefined): WayOut {
  return action === 'signIn' || action === 'startLocalFleet' ? action : 'retry';
}
