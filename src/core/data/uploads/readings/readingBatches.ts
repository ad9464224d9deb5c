import type { UploadOrigin } from '../../../stores/uploadStore';
import { toReading, type TimeChoice } from './readingsOf';
import type { ColumnTypes, ReadingRow, ReadingsLayout, RowProblem } from './readingRow';

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
export interface ReadingBatch {
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
export async function* readingBatches(
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
