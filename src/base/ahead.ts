/**
 * Does the work for items ahead of the consumer of the results, at most `limit` at a time, and yields the
 * results in the order of the items. Ends with the first failure.
 */
export async function* ahead<T, R>(
  items: AsyncIterable<T>,
  limit: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  try {
    for await (const item of items) {
      const result = work(item);
      // Who waits for an earlier one does not see this one fail; it is told in its turn.
      result.catch(() => undefined);
      running.push(result);
      const first = running.length >= limit ? running.shift() : undefined;
      if (first) yield await first;
    }
    for (let next = running.shift(); next; next = running.shift()) yield await next;
  } finally {
    await Promise.allSettled(running);
  }
}
