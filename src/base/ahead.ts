/**
 * Runs the work for items ahead of the consumer, at most `limit` at a time, and yields the results
 * in item order. Stops at the first failure.
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
      // While the consumer awaits an earlier item, nothing handles this rejection. The loop below
      // throws it when its item is next.
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
