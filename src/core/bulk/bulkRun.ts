import { forEachBounded } from '../../base/bounded';
import { FleetError, type FleetErrorKind, isCanceled, toFleetError } from '../api/errors';

/** Outcome for one item in a bulk run. */
export type BulkOutcome<T> =
  | { readonly item: T; readonly state: 'done' | 'notStarted' }
  | { readonly item: T; readonly state: 'failed'; readonly error: FleetError };

export interface BulkRunOptions {
  /** Maximum number of items in progress. */
  readonly limit: number;
  /** When the signal aborts, no new work is started, and running work is awaited. */
  readonly signal: AbortSignal;
  /** Called after each item with the number of finished items. */
  readonly onProgress?: (finished: number) => void;
}

/**
 * Runs the work for every item with limited concurrency. Continues despite failures, because a
 * failure is an outcome and not an exception. Work that stops because of the signal counts as not
 * started.
 * @returns one outcome for each item, in item order.
 */
export async function runBulk<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  { limit, signal, onProgress }: BulkRunOptions,
): Promise<readonly BulkOutcome<T>[]> {
  const outcomes = items.map((item): BulkOutcome<T> => ({ item, state: 'notStarted' }));
  let finished = 0;
  await forEachBounded([...items.entries()], limit, async ([index, item]) => {
    if (signal.aborted) return;
    outcomes[index] = await runItem(item, work, signal);
    finished += 1;
    onProgress?.(finished);
  });
  return outcomes;
}

async function runItem<T>(
  item: T,
  work: (item: T) => Promise<void>,
  signal: AbortSignal,
): Promise<BulkOutcome<T>> {
  try {
    await work(item);
    return { item, state: 'done' };
  } catch (error) {
    if (signal.aborted && (isCanceled(error) || error === signal.reason)) {
      return { item, state: 'notStarted' };
    }
    return { item, state: 'failed', error: toFleetError(error) };
  }
}

/** Returns the items that another run would retry. */
export function unfinishedItems<T>(outcomes: readonly BulkOutcome<T>[]): readonly T[] {
  return outcomes.filter(({ state }) => state !== 'done').map(({ item }) => item);
}

export interface BatchOptions {
  /** Maximum number of items per call. */
  readonly size: number;
  /** Maximum number of concurrent calls. */
  readonly limit: number;
  /** When the signal aborts, no new work is started, and running work is awaited. */
  readonly signal: AbortSignal;
  /** Called with the number of processed items whenever the number grows. */
  readonly onProgress?: ((worked: number) => void) | undefined;
}

/**
 * Kinds of errors that a single item can cause. The other items can be retried without this item.
 */
const OF_AN_ITEM: ReadonlySet<FleetErrorKind> = new Set([
  'notFound',
  'permission',
  'invalid',
  'conflict',
]);

/**
 * Processes items in batches, each of which succeeds or fails as a whole. If one item causes a
 * batch to be rejected, splits the batch in half repeatedly to isolate the item, so that the other
 * items still succeed.
 * @returns one outcome for each item, in item order.
 */
export async function workInBatches<T>(
  items: readonly T[],
  work: (batch: readonly T[]) => Promise<unknown>,
  { size, limit, signal, onProgress }: BatchOptions,
): Promise<readonly BulkOutcome<T>[]> {
  const outcomes: (readonly BulkOutcome<T>[])[] = [];
  const batches = splitIntoBatches(items, size);
  let worked = 0;
  const narrow = async (batch: readonly T[]): Promise<readonly BulkOutcome<T>[]> => {
    if (signal.aborted) return all(batch, 'notStarted');
    try {
      await work(batch);
      return all(batch, 'done');
    } catch (thrown) {
      const error = toFleetError(thrown);
      if (isStop(error, signal)) return all(batch, 'notStarted');
      if (batch.length === 1 || !OF_AN_ITEM.has(error.kind)) {
        return batch.map((item) => ({ item, state: 'failed', error }));
      }
      const middle = Math.ceil(batch.length / 2);
      const first = await narrow(batch.slice(0, middle));
      return [...first, ...(await narrow(batch.slice(middle)))];
    }
  };
  await runBulk(
    [...batches.entries()],
    async ([index, batch]) => {
      outcomes[index] = await narrow(batch);
      worked += batch.length;
      onProgress?.(worked);
    },
    { limit, signal },
  );
  return batches.flatMap((batch, index) => outcomes[index] ?? all(batch, 'notStarted'));
}

function isStop(error: FleetError, signal: AbortSignal): boolean {
  return signal.aborted && isCanceled(error);
}

function splitIntoBatches<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, n) => items.slice(n * size, (n + 1) * size));
}

function all<T>(items: readonly T[], state: 'done' | 'notStarted'): readonly BulkOutcome<T>[] {
  return items.map((item) => ({ item, state }));
}

/**
 * Runs the work for items one after the other. Continues after a failure, but not after a
 * cancellation.
 * @throws the error if exactly one item failed; a `FleetError` with all reasons if multiple items
 *   failed; `canceled` if the user canceled.
 */
export async function oneByOne<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const failures: Error[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      if (isCanceled(error)) throw error;
      failures.push(error instanceof Error ? error : toFleetError(error));
    }
  }
  const [first, ...more] = failures;
  if (more.length > 0) {
    const reasons = failures.map((failure) => toFleetError(failure).message);
    throw new FleetError(toFleetError(first).kind, reasons.join(' '), { cause: first });
  }
  if (first) throw first;
}
