import { type FleetError, isOutcomeUnknown, toFleetError } from '../../../api/errors';
import type { UploadStore } from '../../../stores/uploadStore';
import { type ReadingBatch, readingBatches, type ReadingsPlan } from './readingBatches';
import type { RowProblem } from './readingRow';

/** Maximum number of concurrent calls. */
const CONCURRENT = 2;
/**
 * Number of consecutive failures after which the import stops, because the remaining calls would
 * probably fail too.
 */
const FAILURES_IN_A_ROW = 3;

/** Batch that was not stored, with the position of its rows in the file. */
export interface FailedBatch extends Pick<ReadingBatch, 'number' | 'firstLine' | 'lastLine'> {
  readonly count: number;
  readonly error: FleetError;
  /** True if the batch might have been stored, because the service didn't respond. */
  readonly isUncertain: boolean;
}

/** Outcome of an import of readings. */
export interface ReadingsOutcome {
  /** Number of readings that this attempt stored, without those of earlier attempts. */
  readonly stored: number;
  readonly failed: readonly FailedBatch[];
  /**
   * First line that was not processed, because the import was canceled or too many calls failed.
   */
  readonly stoppedAt: number | undefined;
  /** Numbers of the stored batches, which a retry skips. */
  readonly done: ReadonlySet<number>;
}

export interface UploadReadingsOptions {
  /** When the signal aborts, no new call is started, and running calls are awaited. */
  readonly signal: AbortSignal;
  /** Numbers of the batches that earlier attempts have stored. */
  readonly done?: ReadonlySet<number>;
  /** Called for each skipped row. */
  readonly onProblem?: (problem: RowProblem) => void;
  /** Called with the number of stored readings. */
  readonly onProgress?: (stored: number) => void;
}

/**
 * Stores the readings of a file batch by batch. Continues after a failed batch, but stops after too
 * many consecutive failures. @throws ReadingsError, and errors from reading the file.
 */
export async function uploadReadings(
  store: Pick<UploadStore, 'readings'>,
  plan: ReadingsPlan,
  { signal, done: before = new Set(), onProblem, onProgress }: UploadReadingsOptions,
): Promise<ReadingsOutcome> {
  const failed: FailedBatch[] = [];
  const done = new Set(before);
  let [stored, inARow] = [0, 0];
  let stoppedAt: number | undefined;
  const reading = new AbortController();
  const batches = readingBatches(plan, reading.signal, onProblem);
  const send = async (batch: ReadingBatch): Promise<void> => {
    const { number, firstLine, lastLine, rows } = batch;
    try {
      await store.readings(batch.origin, batch.tags, rows);
      done.add(number);
      stored += rows.length;
      inARow = 0;
      onProgress?.(stored);
    } catch (thrown) {
      const error = toFleetError(thrown);
      inARow += 1;
      const isUncertain = isOutcomeUnknown(error);
      failed.push({ number, firstLine, lastLine, count: rows.length, error, isUncertain });
    }
  };
  const lane = async (): Promise<void> => {
    for await (const batch of batches) {
      if (before.has(batch.number)) continue;
      if (signal.aborted || inARow >= FAILURES_IN_A_ROW) {
        stoppedAt = Math.min(stoppedAt ?? Infinity, batch.firstLine);
        return;
      }
      await send(batch);
    }
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENT }, lane));
  } finally {
    reading.abort();
  }
  const inOrder = failed.toSorted((one, other) => one.number - other.number);
  return { stored, failed: inOrder, stoppedAt, done };
}
