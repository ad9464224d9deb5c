import { lakeContents, listMerged, sealedThrough } from '../store/data/lakeManifest';
import type { DataShape, DeletedReadings } from '../query/queryJob';
import type { DeletedReadingsRow, LakeFileRow, LakeKey } from '../store/data/dataSchema';
import {
  findCleaned,
  findColdDays,
  findColdProgress,
  recordCleaned,
} from '../store/data/coldReadings';
import { startOfDay } from '../store/data/dayCounts';
import { boundedShape, mergeShapes } from './dataShapes';
import { fileRow, type LakeTools, runFileJob } from './sealing';
import { newFilePrefix } from './lakeFolder';

/**
 * Maximum number of rows to sort. Sorting more would exceed the memory and disk limits of a job.
 */
const MAX_ORDERED_ROWS = 1_000_000;

export interface CompactionTools extends LakeTools {
  /** Runs a task while the list of files is not being read. */
  exclusively: (task: () => Promise<void>) => Promise<void>;
}

/**
 * Merges an organization's files if there are many, and removes deleted readings and readings that
 * have become cold from the files.
 */
export async function compact(tools: CompactionTools, key: LakeKey): Promise<void> {
  const { store } = tools;
  const { removed } = await findColdProgress(store, key.organizationId);
  const hasRemoved = removed > (await findCleaned(store, key));
  const coldDays = hasRemoved ? await findColdDays(store, key.organizationId) : new Set<number>();
  // Before the files are listed, because a file can be sealed at any time.
  const sealed = (await sealedThrough(store, key)) ?? 0;
  const { files, deletions } = await lakeContents(store, key);
  for (const merge of planMerges(files, deletions, coldDays)) {
    tools.signal.throwIfAborted();
    await mergeOnce(tools, key, { ...merge, after: removed }, sealed);
  }
  if (hasRemoved) await recordCleaned(store, key, removed);
}

/** Merges files into one, which replaces them. */
async function mergeOnce(
  tools: CompactionTools,
  key: LakeKey,
  merge: Merge,
  sealed: number,
): Promise<void> {
  const { files, exclusively, lease, signal } = tools;
  const { organizationId } = key;
  const { sources, deletions } = merge;
  const merged = await mergeFiles(tools, key, merge);
  await exclusively(async () => {
    const isListed = await files.publish(
      organizationId,
      merged,
      (access, results) =>
        listMerged(access, key, { sources, results, appliedDeletions: deletions, sealed }, lease),
      signal,
    );
    if (isListed) {
      await files.discard(
        organizationId,
        sources.map(({ name }) => name),
      );
    }
  });
}

/**
 * Merges files into one in the organization's folder.
 * @returns nothing if no readings remain.
 */
export async function mergeFiles(
  tools: LakeTools,
  key: LakeKey,
  { day, sources, deletions, after }: Merge,
): Promise<LakeFileRow[]> {
  if (sources.length === 0) return [];
  const rows = sources.reduce((sum, { row_count }) => sum + row_count, 0);
  await using local = await tools.files.open(key.organizationId, sources);
  const written = await runFileJob(tools, key, {
    kind: 'merge',
    directory: await tools.folder.make(key.organizationId),
    sourceDirectory: local.directory,
    sources: local.names,
    day,
    ordered: rows <= MAX_ORDERED_ROWS,
    deletions: deletions.map(deletedReadings),
    after,
    prefix: newFilePrefix(),
  });
  return written.map((file) => ({
    ...fileRow(file, key, mergeFileShapes(sources)),
    through_id: sources.reduce<number | null>(
      (last, { through_id: id }) => (id === null ? last : Math.max(id, last ?? 0)),
      null,
    ),
  }));
}

/** Returns a deletion in the form that queries expect. */
export function deletedReadings(row: DeletedReadingsRow): DeletedReadings {
  return {
    seriesId: row.series_id,
    throughId: row.through_id,
    from: startOfDay(row.day),
    to: row.deleted_to,
  };
}

function mergeFileShapes(files: readonly LakeFileRow[]): DataShape {
  const shapes = files.map(({ shape }) => JSON.parse(shape) as DataShape);
  return boundedShape(shapes.reduce((merged, shape) => mergeShapes(merged, shape), 'NULL'));
}

/** Files to merge, and the deletions that the merge completes. */
interface Merge {
  day: number;
  sources: readonly LakeFileRow[];
  deletions: readonly DeletedReadingsRow[];
  /** ID up to which readings are omitted. */
  after: number;
}

/**
 * Number of files of similar size that are merged into one file. It is chosen so that each row is
 * rewritten only rarely.
 */
const FILES_PER_TIER = 8;
/** Factor below which two sizes count as similar. */
const TIER_FACTOR = 8;
const MIN_TIER_ROWS = 1000;
/** Maximum number of rows in a file to merge. Larger files are not merged. */
const MAX_MERGED_ROWS = 4_000_000;

/**
 * Plans which of an organization's files to merge: files of a similar size if there are many, and
 * files that contain deleted rows or cold readings.
 */
function planMerges(
  files: readonly LakeFileRow[],
  deletions: readonly DeletedReadingsRow[],
  coldDays: ReadonlySet<number>,
): Omit<Merge, 'after'>[] {
  const filesByDay = Map.groupBy(files, ({ day }) => day);
  const deletionsByDay = Map.groupBy(deletions, ({ day }) => day);
  for (const day of coldDays) {
    if (filesByDay.has(day) && !deletionsByDay.has(day)) deletionsByDay.set(day, []);
  }
  const cleaned = [...deletionsByDay].map(([day, marks]) => ({
    day,
    sources: filesByDay.get(day) ?? [],
    deletions: marks,
  }));
  const joined = [...filesByDay]
    .filter(([day]) => !deletionsByDay.has(day))
    .flatMap(([day, ofDay]) =>
      fullTiers(ofDay).map((sources) => ({ day, sources, deletions: [] })),
    );
  return [...cleaned, ...joined];
}

function fullTiers(files: readonly LakeFileRow[]): LakeFileRow[][] {
  const small = files.filter(({ row_count }) => row_count < MAX_MERGED_ROWS);
  return [...Map.groupBy(small, getTier).values()].filter(({ length }) => length >= FILES_PER_TIER);
}

function getTier({ row_count }: LakeFileRow): number {
  const steps = Math.log(Math.max(1, row_count / MIN_TIER_ROWS)) / Math.log(TIER_FACTOR);
  return Math.floor(steps);
}
