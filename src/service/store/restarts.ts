import type { RestartMark } from '../../core/model/restartMark';
import type { Micros } from './micros';
import type { PartRow } from './schema';
import type { StoreAccess } from './store';

/** Marks a part for restart; a mark that its machine has heard of already is made again. */
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
 * Whether the part is marked for restart, noting that its machine hears of it now. The mark stays: an
 * answer that is lost on the way loses no restart.
 */
export async function tellRestart(
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

/** Takes the mark away that the part's machine has heard of, once the machine restarts. */
export async function clearRestart(access: StoreAccess, partId: string): Promise<void> {
  await access
    .updateTable('parts')
    .set({ restart_requested_at: null, restart_told_at: null })
    .where('id', '=', partId)
    .where('restart_told_at', 'is not', null)
    .execute();
}

/** Whether a part is marked for restart, and whether its machine has heard of it. */
export function restartMark(
  part: Pick<PartRow, 'restart_requested_at' | 'restart_told_at'>,
): RestartMark {
  if (part.restart_requested_at === null) {
    return 'none';
  }
  return part.restart_told_at === null ? 'asked' : 'told';
}
