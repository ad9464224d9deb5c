import type { OnlineStatus } from './entities';
import { relativeTime } from './relativeTime';

/**
 * How long after its last contact something may still be called online: a service that stopped
 * watching a machine keeps its last word, and so does a list that could not be read again.
 */
const ONLINE_WINDOW_MS = 10 * 60_000;

export interface Presence {
  readonly status: OnlineStatus;
  readonly lastSeen: Date | undefined;
}

/**
 * What can honestly be said now of a machine or part, from the service's word and its last contact. What
 * was called online and has been silent for long is not known to be offline: nobody has said so.
 */
export function presenceOf(
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

/** Whether something looks another way at a later moment though nothing new is known of it. */
export function looksOtherAt(
  contact: Parameters<typeof presenceOf>[0],
  before: Date,
  now: Date,
): boolean {
  const [then, later] = [presenceOf(contact, before), presenceOf(contact, now)];
  if (then.status !== later.status) return true;
  const { status, lastSeen } = later;
  return (
    status !== 'online' &&
    lastSeen !== undefined &&
    relativeTime(lastSeen, before, 'en') !== relativeTime(lastSeen, now, 'en')
  );
}
