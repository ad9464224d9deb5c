/**
 * Runs `work` for every item, at most `limit` at a time. Rejects with the first failure: starts
 * nothing after it, and rejects only when nothing is running anymore.
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

/**
 * A shared iterator that ends for all consumers when one of them leaves the loop. An array's own
 * iterator doesn't.
 */
function* oneByOne<T>(items: readonly T[]): Generator<T, void, undefined> {
  yield* items;
}
