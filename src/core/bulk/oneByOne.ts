import { FleetError, isCanceled, toFleetError } from '../api/errors';

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
