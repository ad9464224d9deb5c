/**
 * Runs `work` for every item, at most `limit` at a time. Rejects with the first failure: nothing is begun
 * after it, and nothing goes on any more when it is told.
 */
export async function forEachBounded<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = oneByOne(items);
  const worker = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  const workers = Array.from({ length: Math.min(limit, items.length) }, worker);
  try {
    await Promise.all(workers);
  } finally {
    await Promise.allSettled(workers);
  }
}

/** For all who take from it, it ends when one of them leaves the loop; an array's own iterator does not. */
function* oneByOne<T>(items: readonly T[]): Generator<T, void, undefined> {
  yield* items;
}
