import { isDeepStrictEqual } from 'node:util';
import { deserialize } from 'bson';
import type { ColdReading } from '../query/queryJob';
import { type ColdProgress, countRecorded, findReadings } from '../store/data/coldReadings';
import type { LakeFileRow, LakeKey } from '../store/data/dataSchema';
import { lakeContents } from '../store/data/lakeManifest';
import type { Store } from '../store/store';
import { toColdFiles } from './coldReadings';
import { type LakeTools, toSealedPayload } from './sealing';

/** Number and total size of readings that are compared at a time. */
const COMPARED_ROWS = 1000;
const COMPARED_BYTES = 4 * 1024 * 1024;

/**
 * Reads the files with readings that are still in the records, and compares every column.
 * @returns the files; undefined if they are damaged or differ from the records.
 */
export async function findEqualFiles(
  tools: LakeTools,
  key: LakeKey,
  progress: ColdProgress,
): Promise<LakeFileRow[] | undefined> {
  // A deletion in the meantime can cause a difference.
  return (await compareOnce(tools, key, progress)) ?? (await compareOnce(tools, key, progress));
}

async function compareOnce(
  { store, runner, files: lakeFiles, signal }: LakeTools,
  key: LakeKey,
  { sealed, removed }: ColdProgress,
): Promise<LakeFileRow[] | undefined> {
  const { organizationId } = key;
  const { files, deletions } = await lakeContents(store, key);
  const sources = files.filter(({ through_id: through }) => (through ?? 0) > removed);
  if ((await lakeFiles.findDamaged(organizationId, sources, signal)).length > 0) return undefined;
  await using local = await lakeFiles.open(organizationId, sources);
  const cold = toColdFiles(local, deletions, { after: removed, through: sealed });
  let count = 0;
  let batch: ColdReading[] = [];
  let bytes = 0;
  if (sources.length > 0) {
    const job = { kind: 'read', organizationId, cold, result: 'all' } as const;
    for await (const document of runner.run(job, signal)) {
      const row = deserialize(document) as ColdReading;
      batch.push(row);
      bytes += row.size;
      if (batch.length < COMPARED_ROWS && bytes < COMPARED_BYTES) continue;
      if (!(await areRecorded(store, batch))) return undefined;
      count += batch.length;
      [batch, bytes] = [[], 0];
    }
  }
  if (!(await areRecorded(store, batch))) return undefined;
  const recorded = await countRecorded(store, organizationId, { after: removed, through: sealed });
  return count + batch.length === recorded ? sources : undefined;
}

/** Returns true if the records contain these readings with the same columns. */
async function areRecorded(store: Store, readings: readonly ColdReading[]): Promise<boolean> {
  const recorded = await findReadings(
    store,
    readings.map(({ id }) => id),
  );
  return readings.every(({ payload, ...columns }) => {
    const { payload: stored, ...expected } = recorded.get(columns.id) ?? {};
    const text = stored === undefined ? undefined : toSealedPayload(stored);
    // The files contain the same JSON values, but numbers can be written in another way.
    const isSame = text !== undefined && (text === payload || hasSameValues(text, payload));
    return isSame && isDeepStrictEqual(columns, expected);
  });
}

function hasSameValues(a: string, b: string): boolean {
  return isDeepStrictEqual(JSON.parse(a), JSON.parse(b));
}
