import type { StoreAccess } from '../store';
import type { UnsealedRange } from './lakeManifest';
import type { ReadingRow } from './readingsSchema';

/** Maximum number of rows, and of bytes, to read at a time. */
const MAX_ROWS = 1000;
const MAX_BYTES = 8 * 1024 * 1024;

/** Yields the readings of an organization in the order of arrival, in batches. */
export async function* readingsInOrder(
  access: StoreAccess,
  organizationId: string,
  { after, through }: UnsealedRange,
): AsyncGenerator<ReadingRow[]> {
  for (let last: number | undefined = after; last !== undefined;) {
    const sizes = await access
      .selectFrom('readings')
      .select(['id', 'size'])
      .where('organization_id', '=', organizationId)
      .where('id', '>', last)
      .where('id', '<=', through)
      .orderBy('id')
      .limit(MAX_ROWS)
      .execute();
    for (let start = 0; start < sizes.length;) {
      const end = findChunkEnd(sizes, start);
      yield await access
        .selectFrom('readings')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', '>=', sizes[start]?.id ?? 0)
        .where('id', '<=', sizes[end - 1]?.id ?? 0)
        .orderBy('id')
        .execute();
      start = end;
    }
    last = sizes.length < MAX_ROWS ? undefined : sizes.at(-1)?.id;
  }
}

/**
 * Returns the end of a batch that doesn't exceed the byte limit. A batch can exceed the limit if it
 * consists of one reading.
 */
function findChunkEnd(sizes: readonly { size: number }[], start: number): number {
  let bytes = 0;
  let end = start;
  while (end < sizes.length && (end === start || bytes + (sizes[end]?.size ?? 0) <= MAX_BYTES)) {
    bytes += sizes[end]?.size ?? 0;
    end += 1;
  }
  return end;
}
