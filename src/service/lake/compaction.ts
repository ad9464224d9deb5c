import { lakeContents, listMerged } from '../store/data/lakeManifest';
import type { DataShape, DeletedReadings } from '../query/queryJob';
import type { DeletedReadingsRow, LakeFileRow, LakeKey } from '../store/data/dataSchema';
import { startOfDay } from '../store/data/dayCounts';
import { boundedShape, fileRow, type LakeTools, mergeShapes, runFileJob } from './sealing';
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
 * Merges an organization's files if there are many, and removes deleted readings from the files.
 */
export async function compact(tools: CompactionTools, key: LakeKey): Promise<void> {
  const { files, deletions } = await lakeContents(tools.store, key);
  for (const merge of planMerges(files, deletions)) {
    tools.signal.throwIfAborted();
    await mergeOnce(tools, key, merge);
  }
}

async function mergeOnce(
  tools: CompactionTools,
  key: LakeKey,
  { day, sources, deletions }: Merge,
): Promise<void> {
  const { files, exclusively, lease, signal } = tools;
  const { organizationId } = key;
  const merged =
    sources.length === 0 ? [] : await mergeFiles(tools, key, { day, sources, deletions });
  await exclusively(async () => {
    const isListed = await files.publish(
      organizationId,
      merged,
      (access, results) =>
        listMerged(access, key, { sources, results, appliedDeletions: deletions }, lease),
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

/** @returns the file into which files were merged; nothing if no readings remain. */
async function mergeFiles(
  tools: CompactionTools,
  key: LakeKey,
  { day, sources, deletions }: Merge,
): Promise<LakeFileRow[]> {
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
    prefix: newFilePrefix(),
  });
  return written.map((file) => fileRow(file, key, mergeFileShapes(sources)));
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
 * files that contain deleted rows.
 */
function planMerges(
  files: readonly LakeFileRow[],
  deletions: readonly DeletedReadingsRow[],
): Merge[] {
  const filesByDay = Map.groupBy(files, ({ day }) => day);
  const deletionsByDay = Map.groupBy(deletions, ({ day }) => day);
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
