import type { OnlineStatus } from './entities';

/**
 * Maximum time in milliseconds since the last contact for a resource to be shown as online. A
 * service that has stopped watching a machine still reports its last status, and a list that
 * couldn't be refreshed still shows it.
 */
const ONLINE_WINDOW_MS = 10 * 60_000;

export interface Presence {
  readonly status: OnlineStatus;
  readonly lastSeen: Date | undefined;
}

/**
 * Returns the current presence of a machine or part, based on the status from the service and the
 * last contact. If a machine was online but its last contact is too old, its status is unknown
 * instead of offline, because nothing has reported it as offline.
 */
export function getPresence(
  { status, lastAccess }: { readonly status: OnlineStatus; readonly lastAccess: Date | undefined },
  now: Date,
): Presence {
  const recent = lastAccess && now.getTime() - lastAccess.getTime() <= ONLINE_WINDOW_MS;
  if (status === 'online' && lastAccess && !recent) {
    return { status: 'unknown', lastSeen: lastAccess };
  }
  if (status === 'unknown' && recent) return { status: 'online', lastSeen: lastAccess };
  return { status, lastSeen: lastAccess };
}

/** Returns true if the displayed presence has changed over time without new data. */
export function hasPresenceChanged(
  contact: Parameters<typeof getPresence>[0],
  before: Date,
  now: Date,
): boolean {
  const [then, later] = [getPresence(contact, before), getPresence(contact, now)];
  if (then.status !== later.status) return true;
  const { status, lastSeen } = later;
  if (status === 'online' || lastSeen === undefined) return false;
  const [shown, current] = [getElapsed(lastSeen, before), getElapsed(lastSeen, now)];
  return shown.count !== current.count || shown.unit !== current.unit;
}

const SECOND = 1_000;
const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, milliseconds: number])[] = [
  ['year', 365 * 24 * 3_600 * SECOND],
  ['month', 30 * 24 * 3_600 * SECOND],
  ['day', 24 * 3_600 * SECOND],
  ['hour', 3_600 * SECOND],
  ['minute', 60 * SECOND],
];

/** Time since an event, in the largest unit of which at least one has passed. */
interface Elapsed {
  readonly count: number;
  readonly unit: Intl.RelativeTimeFormatUnit;
}

function getElapsed(time: Date, now: Date): Elapsed {
  const elapsed = now.getTime() - time.getTime();
  for (const [unit, milliseconds] of UNITS) {
    if (elapsed >= milliseconds) return { count: Math.floor(elapsed / milliseconds), unit };
  }
  return { count: 0, unit: 'minute' };
}

/** Formats the time since an event for a locale, such as "3 hours ago". */
export function relativeTime(time: Date, now: Date, locale: string): string {
  const { count, unit } = getElapsed(time, now);
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-count, unit);
}
