import type { DeletedReadingsRow, LakeFileRow } from '../store/data/lakeSchema';

/** Files to merge, and the deletions that the merge completes. */
export interface Merge {
  day: number;
  sources: readonly LakeFileRow[];
  deletions: readonly DeletedReadingsRow[];
}

/**
 * Number of files of similar size that are merged into one file. The number ensures that each row
 * is rewritten only rarely.
 */
const FILES_PER_TIER = 8;
/** Factor below which two sizes count as similar. */
const TIER_FACTOR = 8;
const SMALLEST_TIER_ROWS = 1000;
/** Maximum number of rows in a file to merge. Larger files are not merged. */
const MAX_MERGED_ROWS = 4_000_000;

/**
 * Plans which files of an organization to merge: files of a similar size if there are many, and
 * files that contain deleted rows.
 */
export function planMerges(
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
  const steps = Math.log(Math.max(1, row_count / SMALLEST_TIER_ROWS)) / Math.log(TIER_FACTOR);
  return Math.floor(steps);
}
