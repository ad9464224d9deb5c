import { isDeepStrictEqual } from 'node:util';
import { deserialize } from 'bson';
import type { ReadTotals } from '../query/queryJob';
import { clearPending, listPending, takePending } from '../store/data/coldReadings';
import type { DeletedReadingsRow, LakeFileRow, LakeKey } from '../store/data/dataSchema';
import {
  lakeContents,
  listMerged,
  NotListedError,
  sealedThrough,
  type UnsealedRange,
} from '../store/data/lakeManifest';
import { lockRow } from '../store/store';
import { mergeFiles } from './compaction';
import { NO_READINGS, toColdFiles } from './coldReadings';
import type { LakeTools } from './sealing';

/** Range of all readings. */
const EVERYTHING: UnsealedRange = { after: 0, through: Number.MAX_SAFE_INTEGER };

/**
 * Removes an organization's deleted readings from its files with cold readings: merges the files of
 * each day into a new one. The new file replaces the others only after it was stored, read back, and
 * compared with them, because no other copy of its readings remains.
 * @throws Error if the new file can't be read or differs; the other files are retained.
 */
export async function purgeColdReadings(tools: LakeTools, key: LakeKey): Promise<void> {
  const { store, lease, signal } = tools;
  try {
    // Files that were stored before a crash.
    await clearPending(store, key, lease);
    const sealed = (await sealedThrough(store, key)) ?? 0;
    const { files, deletions } = await lakeContents(store, key);
    for (const [day, marks] of Map.groupBy(deletions, (mark) => mark.day)) {
      signal.throwIfAborted();
      const sources = files.filter((file) => file.day === day);
      if (!(await purgeDay(tools, key, { day, sources, deletions: marks, sealed }))) return;
    }
  } catch (error) {
    // Another service does the work, or the organization was deleted.
    if (!(error instanceof NotListedError)) throw error;
  }
}

interface DayPurge {
  day: number;
  sources: readonly LakeFileRow[];
  deletions: readonly DeletedReadingsRow[];
  /** As in `MergedFiles`. */
  sealed: number;
}

/**
 * @returns false if the merged files were not stored, because another service has acquired the lease
 *   or the organization was deleted.
 * @throws NotListedError for the same reasons later.
 */
async function purgeDay(tools: LakeTools, key: LakeKey, purge: DayPurge): Promise<boolean> {
  const { store, files, lease } = tools;
  const { organizationId } = key;
  const { sources, deletions, sealed } = purge;
  const names = new Set(toNames(sources));
  const isSource = ({ name }: LakeFileRow): boolean => names.has(name);
  const merged = await mergeFiles(tools, key, { ...purge, after: 0 });
  let results: readonly LakeFileRow[] = [];
  const isStored = await files.publish(
    organizationId,
    merged,
    async (access, stored) => {
      results = stored;
      await listPending(access, stored, lease);
    },
    tools.signal,
  );
  if (!isStored) return false;
  try {
    await requireSameReadings(tools, key, purge, results);
    await store.transaction().execute(async (transaction) => {
      // In the order in which a deletion of the organization locks the rows.
      await lockRow(transaction, 'organizations', organizationId);
      // The same file as a source remains in the catalog.
      await takePending(transaction, toNames(results.filter((file) => !isSource(file))));
      const merge = { sources, results, appliedDeletions: deletions, sealed };
      await listMerged(transaction, key, merge, lease);
    });
  } catch (error) {
    try {
      await clearPending(store, key, lease);
      await files.discard(organizationId, toNames(results));
    } catch (failure) {
      // If another service has acquired the lease, the files could be its own, so they are retained.
      if (!(failure instanceof NotListedError)) throw failure;
    }
    throw error;
  }
  await files.discard(organizationId, toNames(sources));
  return true;
}

async function requireSameReadings(
  tools: LakeTools,
  { organizationId }: LakeKey,
  { sources, deletions }: DayPurge,
  results: readonly LakeFileRow[],
): Promise<void> {
  // From the bucket rather than from the cache, which also contains what was uploaded.
  if ((await tools.files.findDamaged(organizationId, results, tools.signal)).length > 0) {
    throw new Error('a merged file could not be read back, so its sources were retained');
  }
  const remaining = await sumFiles(tools, organizationId, sources, deletions);
  const written = await sumFiles(tools, organizationId, results, []);
  if (!isDeepStrictEqual(remaining, written)) {
    throw new Error('a merged file differs from its sources, which were retained');
  }
}

async function sumFiles(
  { files, runner, signal }: LakeTools,
  organizationId: string,
  rows: readonly LakeFileRow[],
  deletions: readonly DeletedReadingsRow[],
): Promise<ReadTotals> {
  if (rows.length === 0) return NO_READINGS;
  await using local = await files.open(organizationId, rows);
  const cold = toColdFiles(local, deletions, EVERYTHING);
  const job = { kind: 'read', organizationId, cold, result: 'totals' } as const;
  for await (const document of runner.run(job, signal)) {
    return deserialize(document) as ReadTotals;
  }
  return NO_READINGS;
}

function toNames(files: readonly LakeFileRow[]): string[] {
  return files.map(({ name }) => name);
}
