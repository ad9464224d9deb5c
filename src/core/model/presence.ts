import type { OnlineStatus } from './entities';

/**
 * How long after its last contact something may still be called online: a service that stopped
 * watching a machine keeps its last word.
 */
const ONLINE_WINDOW_MS = 10 * 60_000;

export interface Presence {
  readonly status: OnlineStatus;
  readonly lastSeen: Date | undefined;
}

/** What can honestly be said now of a machine or part, from the service's word and its last contact. */
export function presenceOf(
  { status, lastAccess }: { readonly status: OnlineStatus; readonly lastAccess: Date | undefined },
  now: Date,
): Presence {
  const recent = lastAccess && now.getTime() - lastAccess.getTime() <= ONLINE_WINDOW_MS;
  if (status === 'online' && lastAccess && !recent)
    return { status: 'offline', lastSeen: lastAccess };
  if (status === 'unknown' && lastAccess) {
    return { status: recent ? 'online' : 'offline', lastSeen: lastAccess };
  }
  return { status, lastSeen: lastAccess };
}
