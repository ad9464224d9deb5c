import type { DeletedReadingsRow, LakeFileRow } from '../store/data/lakeSchema';

/** Files that are merged, and the deletions that are done with thereby. */
export interface Merge {
  day: number;
  sources: readonly LakeFileRow[];
  deletions: readonly DeletedReadingsRow[];
}

/** So many files of about the same size become one: each row is rewritten only now and then. */
const FILES_PER_TIER = 8;
/** Sizes that differ by less than this are about the same. */
const TIER_FACTOR = 8;
const SMALLEST_TIER_ROWS = 1000;
/** A file with more rows is as good as it gets. */
const MAX_MERGED_ROWS = 4_000_000;

/** Which files of an organization to merge: where there are many, or where rows are deleted. */
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
  return [...Map.groupBy(small, tierOf).values()].filter(({ length }) => length >= FILES_PER_TIER);
}

function tierOf({ row_count }: LakeFileRow): number {
  const steps = Math.log(Math.max(1, row_count / SMALLEST_TIER_ROWS)) / Math.log(TIER_FACTOR);
  return Math.floor(steps);
}
