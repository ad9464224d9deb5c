import { isNothing, isOneOf } from './guards';
import { command } from './protocol';

/** What a person can do in a page about something that cannot be shown. */
const waysOut = ['retry', 'signIn', 'startLocalFleet'] as const;
export type WayOut = (typeof waysOut)[number];
export const isWayOut = isOneOf(...waysOut);

/** The words on the button of each. */
export type WayOutWords = Readonly<Record<WayOut, string>>;

/** How a page says which of them a person has chosen; trying again is its own affair. */
export const wayOutMessages = {
  signIn: command(isNothing),
  /** Starts it, and reads again what could not be read. */
  startLocalFleet: command(isNothing),
} as const;

/** What helps by what an error says of itself. */
export function wayOutOf(action: string | undefined): WayOut {
  return action === 'signIn' || action === 'startLocalFleet' ? action : 'retry';
}
