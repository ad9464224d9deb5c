import { forEachBounded } from '../../base/bounded';
import { type FleetError, isCanceled, toFleetError } from '../api/errors';

/** What became of one item of a bulk run. */
export type BulkOutcome<T> =
  | { readonly item: T; readonly state: 'done' | 'notStarted' }
  | { readonly item: T; readonly state: 'failed'; readonly error: FleetError };

export interface BulkRunOptions {
  /** Items worked on at the same time. */
  readonly limit: number;
  /** Once it aborts nothing new is started; what runs is waited for. */
  readonly signal: AbortSignal;
  /** Called after each item with the number of those that are through. */
  readonly onProgress?: (finished: number) => void;
}

/**
 * Works on every item, few at a time, whatever becomes of the others: a failure is an outcome, not an
 * exception. Work that gives up because of the signal counts as not started.
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
    outcomes[index] = await outcomeOf(item, work, signal);
    finished += 1;
    onProgress?.(finished);
  });
  return outcomes;
}

async function outcomeOf<T>(
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

/** The items that a further run would work on again. */
export function unfinishedItems<T>(outcomes: readonly BulkOutcome<T>[]): readonly T[] {
  return outcomes.filter(({ state }) => state !== 'done').map(({ item }) => item);
}
