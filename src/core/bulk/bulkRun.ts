import { forEachBounded } from '../../base/bounded';
import { type FleetError, isCanceled, toFleetError } from '../api/errors';

/** Outcome of one item of a bulk run. */
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
 * @returns one outcome for each item, in the order of the items.
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
