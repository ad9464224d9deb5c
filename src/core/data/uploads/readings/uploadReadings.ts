import { type FleetError, lacksAnswer, toFleetError } from '../../../api/errors';
import type { UploadStore } from '../../../stores/uploadStore';
import { type ReadingBatch, readingBatches, type ReadingsPlan } from './readingBatches';
import type { RowProblem } from './readingRow';

/** Calls at the same time. */
const CONCURRENT = 2;
/** So many failures in a row show that the rest would fail as well. */
const FAILURES_IN_A_ROW = 3;

/** A batch that is not stored, by the place of its rows in the file. */
export interface FailedBatch extends Pick<ReadingBatch, 'number' | 'firstLine' | 'lastLine'> {
  readonly count: number;
  readonly error: FleetError;
  /** Whether it may be stored all the same: the service did not answer. */
  readonly isUncertain: boolean;
}

/** What became of the readings of a file. */
export interface ReadingsOutcome {
  /** Readings stored now, without those of earlier tries. */
  readonly stored: number;
  readonly failed: readonly FailedBatch[];
  /** The line with which what was not tried begins: it was canceled, or nothing went through any more. */
  readonly stoppedAt: number | undefined;
  /** Numbers of the batches that are stored, for a further try that leaves them alone. */
  readonly done: ReadonlySet<number>;
}

export interface UploadReadingsOptions {
  /** Once it aborts nothing new is sent; what is under way is waited for. */
  readonly signal: AbortSignal;
  /** Batches that an earlier try has stored. */
  readonly done?: ReadonlySet<number>;
  /** Hears of rows that are left out. */
  readonly onProblem?: (problem: RowProblem) => void;
  /** Hears how many readings were stored. */
  readonly onProgress?: (stored: number) => void;
}

/**
 * Stores the readings of a file, batch by batch; a failed batch does not stop the others, several in a row
 * do. @throws ReadingsRefusal, and what reading the file throws.
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
      const isUncertain = lacksAnswer(error);
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
