import { type FleetError, isOutcomeUnknown, toFleetError } from '../../../api/errors';
import type { UploadOrigin, UploadStore } from '../../../stores/uploadStore';
import {
  type ColumnTypes,
  type ReadingRow,
  type ReadingsLayout,
  type RowProblem,
  type TimeChoice,
  toReading,
} from './readingRow';

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

/** Maximum number of readings per call. Calls with long readings contain fewer. */
const MAX_READINGS = 1_000;
const MAX_BYTES = 4 * 1024 * 1024;
/** Maximum number of open batches, for files in which rows of different resources alternate. */
const MAX_OPEN_BATCHES = 50;

/** Mapping of a file's rows to readings. */
export interface ReadingsPlan {
  readonly layout: ReadingsLayout;
  readonly time: TimeChoice;
  readonly types: ColumnTypes;
  /** Resource of the readings. A resource that a row specifies takes precedence. */
  readonly origin: UploadOrigin;
  readonly tags: readonly string[];
}

/** Readings to send in one call. */
interface ReadingBatch {
  /**
   * Index of the batch, starting at 0. The same plan and file always result in the same batches.
   */
  readonly number: number;
  readonly origin: UploadOrigin;
  readonly tags: readonly string[];
  readonly rows: readonly ReadingRow[];
  readonly firstLine: number;
  readonly lastLine: number;
}

interface OpenBatch extends Pick<ReadingBatch, 'origin' | 'tags'> {
  readonly rows: ReadingRow[];
  bytes: number;
}

/** Groups the readings of a file into batches. @param onProblem called for each skipped row. */
async function* readingBatches(
  plan: ReadingsPlan,
  signal: AbortSignal,
  onProblem: (problem: RowProblem) => void = () => undefined,
): AsyncGenerator<ReadingBatch> {
  const open = new Map<string, OpenBatch>();
  let number = 0;
  const close = (key: string, { origin, tags, rows }: OpenBatch): ReadingBatch => {
    open.delete(key);
    const [firstLine, lastLine] = [rows[0]?.line ?? 0, rows.at(-1)?.line ?? 0];
    return { number: number++, origin, tags, rows, firstLine, lastLine };
  };
  for await (const source of plan.layout.rows(signal)) {
    const result = toReading(source, plan.time, plan.types);
    if ('problem' in result) {
      onProblem(result.problem);
      continue;
    }
    const { row, bytes } = result;
    const { origin, tags, key } = toBatchTarget(row, plan);
    const known = open.get(key);
    if (known && (known.rows.length >= MAX_READINGS || known.bytes + bytes > MAX_BYTES)) {
      yield close(key, known);
    }
    const batch = open.get(key) ?? { origin, tags, rows: [], bytes: 0 };
    batch.rows.push(storedRow(row, origin, plan));
    batch.bytes += bytes;
    open.set(key, batch);
    const [oldest] = open;
    if (open.size > MAX_OPEN_BATCHES && oldest) yield close(...oldest);
  }
  for (const [key, batch] of [...open]) yield close(key, batch);
}

/**
 * Returns the stored form of a row. Puts sensor readings under the key `readings` unless they
 * already are.
 */
export function storedRow(
  row: ReadingRow,
  { method }: Pick<UploadOrigin, 'method'>,
  { layout }: Pick<ReadingsPlan, 'layout'>,
): ReadingRow {
  const keys = Object.keys(row.data);
  const isUnder = keys.length === 1 && keys[0] === 'readings';
  if (layout.isExport || isUnder || method.toLowerCase() !== 'readings') return row;
  return { ...row, data: { readings: row.data } };
}

function toBatchTarget(
  { component, componentType, method, tags }: ReadingRow,
  plan: ReadingsPlan,
): Pick<ReadingBatch, 'origin' | 'tags'> & { readonly key: string } {
  const origin: UploadOrigin = {
    partId: plan.origin.partId,
    componentName: filled(component) ?? plan.origin.componentName,
    componentType: filled(componentType) ?? plan.origin.componentType,
    method: filled(method) ?? plan.origin.method,
  };
  const all = [...new Set([...plan.tags, ...(tags ?? [])])];
  const key = JSON.stringify([origin.componentName, origin.componentType, origin.method, all]);
  return { origin, tags: all, key };
}

function filled(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text;
}
