import type { RestartMark } from '../../core/model/contractExtensions';
import type { Micros } from './micros';
import type { PartRow } from './schema';
import type { StoreAccess } from './store';

/** Requests a restart of a part. Also renews a request that the machine has already received. */
export async function requestRestart(
  access: StoreAccess,
  partId: string,
  requestedAt: Micros,
): Promise<void> {
  await access
    .updateTable('parts')
    .set({ restart_requested_at: requestedAt, restart_told_at: null })
    .where('id', '=', partId)
    .execute();
}

/**
 * Returns true if a restart of the part is requested, and records that the machine has received the
 * request. The request isn't cleared yet, because the response might be lost.
 */
export async function acknowledgeRestart(
  access: StoreAccess,
  partId: string,
  now: Micros,
): Promise<boolean> {
  const { numUpdatedRows } = await access
    .updateTable('parts')
    .set({ restart_told_at: now })
    .where('id', '=', partId)
    .where('restart_requested_at', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Clears the restart request that a part's machine has received. Called when the machine restarts.
 */
export async function clearRestart(access: StoreAccess, partId: string): Promise<void> {
  await access
    .updateTable('parts')
    .set({ restart_requested_at: null, restart_told_at: null })
    .where('id', '=', partId)
    .where('restart_told_at', 'is not', null)
    .execute();
}

/**
 * Returns a part's restart state, which indicates whether a restart was requested and whether the
 * machine has received the request.
 */
export function restartMark(
  part: Pick<PartRow, 'restart_requested_at' | 'restart_told_at'>,
): RestartMark {
  if (part.restart_requested_at === null) return 'none';
  return part.restart_told_at === null ? 'asked' : 'told';
}
