/**
 * Runs `work` for every item, at most `limit` at a time. After the first failure, starts no more
 * work, waits for the running work, and rejects with that failure.
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
 * Creates an iterator that multiple consumers share. When one consumer leaves its loop, the
 * iterator ends for all consumers, unlike the built-in array iterator.
 */
function* oneByOne<T>(items: readonly T[]): Generator<T, void, undefined> {
  yield* items;
}
