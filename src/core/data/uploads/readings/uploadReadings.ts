import { type FleetError, isOutcomeUnknown, toFleetError } from '../../../api/errors';
import type { UploadOrigin, UploadStore } from '../../../stores/uploadStore';
import {
  type ColumnTypes,
  type ReadingRow,
  type ReadingsLayout,
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

/** Readings in a file that have the same resource, by their lines. */
export interface ReadingsRange extends Pick<ReadingBatch, 'firstLine' | 'lastLine'> {
  readonly count: number;
  /** Name of the component or service. Other lines in the range can belong to other resources. */
  readonly component: string;
}

/** Batch that was not stored, with its rows' position in the file. */
export interface FailedBatch extends ReadingsRange, Pick<ReadingBatch, 'number'> {
  readonly error: FleetError;
  /** True if the batch might have been stored, because the service didn't respond. */
  readonly isUncertain: boolean;
}

/** Outcome of a readings import. */
export interface ReadingsOutcome {
  /** Number of readings that this attempt stored, excluding those of earlier attempts. */
  readonly stored: number;
  readonly failed: readonly FailedBatch[];
  /**
   * Readings that were not sent because the import was canceled or too many calls failed, ordered
   * by their first lines.
   */
  readonly notStarted: readonly ReadingsRange[];
  /** Numbers of the stored batches, which a retry skips. */
  readonly done: ReadonlySet<number>;
}

export interface UploadReadingsOptions {
  /** When the signal aborts, no new call is started, and running calls are awaited. */
  readonly signal: AbortSignal;
  /** Numbers of the batches that earlier attempts stored. */
  readonly done?: ReadonlySet<number>;
  /** Called with the number of stored readings. */
  readonly onProgress?: (stored: number) => void;
}

/**
 * Stores a file's readings batch by batch. Continues after a failed batch, but stops after too many
 * consecutive failures. After that, only reads the rest of the file to list its readings.
 * @throws ReadingsError, and errors from reading the file.
 */
export async function uploadReadings(
  store: Pick<UploadStore, 'readings'>,
  plan: ReadingsPlan,
  { signal, done: before = new Set(), onProgress }: UploadReadingsOptions,
): Promise<ReadingsOutcome> {
  const failed: FailedBatch[] = [];
  const done = new Set(before);
  const unsent = new Map<string, ReadingsRange[]>();
  let [stored, inARow] = [0, 0];
  const reading = new AbortController();
  const batches = readingBatches(plan, reading.signal);
  const send = async (batch: ReadingBatch): Promise<void> => {
    try {
      await store.readings(batch.origin, batch.tags, batch.rows);
      done.add(batch.number);
      stored += batch.rows.length;
      inARow = 0;
      onProgress?.(stored);
    } catch (thrown) {
      const error = toFleetError(thrown);
      inARow += 1;
      const isUncertain = isOutcomeUnknown(error);
      failed.push({ ...toRange(batch), number: batch.number, error, isUncertain });
    }
  };
  const lane = async (): Promise<void> => {
    for await (const batch of batches) {
      if (before.has(batch.number)) continue;
      const isStopped = signal.aborted || inARow >= FAILURES_IN_A_ROW;
      if (isStopped) addRange(unsent, batch);
      else await send(batch);
    }
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENT }, lane));
  } finally {
    reading.abort();
  }
  const inOrder = failed.toSorted((one, other) => one.number - other.number);
  const notStarted = [...unsent.values()].flat();
  notStarted.sort((one, other) => one.firstLine - other.firstLine);
  return { stored, failed: inOrder, notStarted, done };
}

function toRange({ firstLine, lastLine, rows, origin }: ReadingBatch): ReadingsRange {
  return { firstLine, lastLine, count: rows.length, component: origin.componentName };
}

/** Adds a batch to its resource's ranges. Merges it with the batch directly before it. */
function addRange(ranges: Map<string, ReadingsRange[]>, batch: ReadingBatch): void {
  const known = ranges.get(batch.key) ?? [];
  ranges.set(batch.key, known);
  const range = toRange(batch);
  const last = known.at(-1);
  if (last && batch.precedingLine === last.lastLine) {
    const count = last.count + range.count;
    known[known.length - 1] = { ...last, lastLine: range.lastLine, count };
  } else {
    known.push(range);
  }
}

/** Maximum number of readings per call. Calls with long readings contain fewer. */
const MAX_READINGS = 1_000;
const MAX_BYTES = 4 * 1024 * 1024;
/**
 * Maximum number of open batches. Needed for files in which rows of different resources alternate.
 */
const MAX_OPEN_BATCHES = 50;

/** Mapping from a file's rows to readings. */
export interface ReadingsPlan {
  readonly layout: ReadingsLayout;
  readonly time: TimeChoice;
  readonly types: ColumnTypes;
  /** Resource for the readings. A resource that a row specifies takes precedence. */
  readonly origin: UploadOrigin;
  readonly tags: readonly string[];
}

/** Readings to send in one call. */
interface ReadingBatch {
  /**
   * Index of the batch, starting at 0. The same plan and file always result in the same batches.
   */
  readonly number: number;
  /** Key of the resource and tags, which all rows share. */
  readonly key: string;
  readonly origin: UploadOrigin;
  readonly tags: readonly string[];
  readonly rows: readonly ReadingRow[];
  readonly firstLine: number;
  readonly lastLine: number;
  /** Last line of the previous batch with the same key; undefined for the first one. */
  readonly precedingLine: number | undefined;
}

interface OpenBatch extends Pick<ReadingBatch, 'origin' | 'tags'> {
  readonly rows: ReadingRow[];
  bytes: number;
}

/** Groups a file's readings into batches. Skips rows with problems. */
async function* readingBatches(
  plan: ReadingsPlan,
  signal: AbortSignal,
): AsyncGenerator<ReadingBatch> {
  const open = new Map<string, OpenBatch>();
  const lastLines = new Map<string, number>();
  let number = 0;
  const close = (key: string, { origin, tags, rows }: OpenBatch): ReadingBatch => {
    open.delete(key);
    const [firstLine, lastLine] = [rows[0]?.line ?? 0, rows.at(-1)?.line ?? 0];
    const precedingLine = lastLines.get(key);
    lastLines.set(key, lastLine);
    return { number: number++, key, origin, tags, rows, firstLine, lastLine, precedingLine };
  };
  for await (const source of plan.layout.rows(signal)) {
    const result = toReading(source, plan.time, plan.types);
    if ('problem' in result) continue;
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
 * Returns a row's stored form. Moves sensor readings under the key `readings` unless they are
 * already there.
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
