import { ByteWriter, ParquetWriter, type SchemaElement, type Writer } from 'hyparquet-writer';
import type { ExportFile } from '../../data/export/recordWriter';
import { type DataValue, toUnscaled, toWholeMicros } from '../../data/tables/dataValue';
import { formatJson, formatPlainValue } from '../../data/tables/formatCell';
import { readDataValue } from '../results/bson/bsonValue';
import type { ResultTable } from '../results/resultTable';
import type { RowChunk } from '../results/rowStore';
import { resultLayout } from './resultRow';
import { BSON, type BsonElements, EXTENDED } from '../results/bson/bsonElements';
import type { ColumnProfile, TakeElement } from '../results/rowColumns';
import { PreviousElement } from '../results/bson/previousElement';

/** Parquet format of a column. */
interface ParquetColumn {
  readonly element: SchemaElement;
  /** Converts an element's value for the Parquet writer. */
  readonly read: (element: BsonElements) => unknown;
}

type Shape = Omit<SchemaElement, 'name' | 'repetition_type'>;

interface Form {
  /** BSON types whose values can be written in this format. */
  readonly types: readonly number[];
  readonly shape: Shape;
  readonly read: ParquetColumn['read'];
}

/** Returns a function that decodes an element and converts its value unless it is null. */
function decodeThen(convert: (value: DataValue) => unknown): ParquetColumn['read'] {
  return (element) => {
    const value = readDataValue(element);
    return value === null ? null : convert(value);
  };
}

const TEXT: Shape = { type: 'BYTE_ARRAY', converted_type: 'UTF8' };
/**
 * Also declared as text, because the writer would encode the values again if they were declared
 * only as JSON.
 */
const JSON_TEXT: Shape = { ...TEXT, logical_type: { type: 'JSON' } };

/**
 * Formats in order of precedence. A column uses the first format that supports all of its values,
 * or text if no format does.
 */
const FORMS: readonly Form[] = [
  { types: [BSON.boolean], shape: { type: 'BOOLEAN' }, read: readDataValue },
  { types: [BSON.int32], shape: { type: 'INT32' }, read: readDataValue },
  {
    types: [BSON.int32, BSON.int64],
    shape: { type: 'INT64' },
    read: decodeThen((value) => (typeof value === 'number' ? BigInt(value) : value)),
  },
  {
    types: [BSON.double, BSON.int32, BSON.int64],
    shape: { type: 'DOUBLE' },
    read: decodeThen(Number),
  },
  {
    types: [BSON.date],
    shape: {
      type: 'INT64',
      converted_type: 'TIMESTAMP_MILLIS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
    },
    // Decoding the values as `Date` objects would take several times as long.
    read: ({ bytes, type, valueStart }) =>
      isNullType(type) ? null : bytes.readBigInt64LE(valueStart),
  },
  {
    types: [BSON.date, EXTENDED.micros],
    shape: {
      type: 'INT64',
      converted_type: 'TIMESTAMP_MICROS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
    },
    read: decodeThen((value) => (value instanceof Date ? toWholeMicros(value) : Number(value))),
  },
  {
    types: [EXTENDED.day],
    shape: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
    read: readDataValue,
  },
  { types: [BSON.binary], shape: { type: 'BYTE_ARRAY' }, read: readDataValue },
  {
    types: [BSON.object, BSON.array],
    shape: JSON_TEXT,
    read: decodeThen((value) => formatJson(value)),
  },
];

/** Returns the Parquet format that fits the types of a column's values. */
function parquetColumn(name: string, profile: ColumnProfile): ParquetColumn {
  const types = [...profile.types.keys()].filter((type) => !isNullType(type));
  const fits = ({ types: taken, shape }: Form): boolean =>
    types.every((type) => taken.includes(type)) &&
    !(shape.type === 'DOUBLE' && profile.hasLargeNumbers);
  const form = types.length === 0 ? undefined : (FORMS.find(fits) ?? decimalForm(types, profile));
  const { shape, read } = form ?? { shape: TEXT, read: decodeThen(formatPlainValue) };
  return { element: { name, repetition_type: 'OPTIONAL', ...shape }, read };
}

/** Maximum number of digits in a 16-byte decimal. */
const MAX_DECIMAL_DIGITS = 38;
const DECIMAL_BYTES = 16;
const INT64_DIGITS = 19;

/**
 * Returns the format for a column of decimals, with or without integers, that has as many digits as
 * the column's values require.
 */
function decimalForm(
  types: readonly number[],
  { decimalDigits: { before, after: scale } }: ColumnProfile,
): Form | undefined {
  const taken: readonly number[] = [BSON.decimal, BSON.int32, BSON.int64];
  const hasIntegers = types.some((type) => type !== BSON.decimal);
  const precision = Math.max(1, before, hasIntegers ? INT64_DIGITS : 0) + scale;
  if (!types.every((type) => taken.includes(type)) || precision > MAX_DECIMAL_DIGITS) {
    return undefined;
  }
  return {
    types: taken,
    shape: {
      type: 'FIXED_LEN_BYTE_ARRAY',
      type_length: DECIMAL_BYTES,
      converted_type: 'DECIMAL',
      precision,
      scale,
      logical_type: { type: 'DECIMAL', precision, scale },
    },
    read: decodeThen((value) => toUnscaled(formatPlainValue(value), scale)),
  };
}

function isNullType(type: number): boolean {
  return type === BSON.null || type === BSON.undefined;
}

/** Number of values to write at a time, small enough that other work can run between writes. */
const CELLS_IN_GROUP = 50_000;
const MIN_ROWS = 256;

export interface ParquetExport {
  readonly file: ExportFile;
  readonly signal: AbortSignal;
  /** Called with the number of written rows and the total. */
  readonly onProgress: (rows: number, of: number) => void;
}

const overflowColumn: ParquetColumn = {
  element: { name: resultLayout.overflowName, repetition_type: 'OPTIONAL', ...JSON_TEXT },
  read: readDataValue,
};

/**
 * Writes all rows in a table as Parquet. Chooses each column's format based on its values.
 * @returns the number of rows.
 */
export async function writeParquet(
  table: ResultTable,
  { file, signal, onProgress }: ParquetExport,
): Promise<number> {
  const groups = new ParquetGroups(table, file);
  const total = table.store.count;
  for await (const chunk of readAhead(table.store.readChunks(0, total, signal))) {
    for (let index = 0; index < chunk.starts.length; index += 1) {
      await groups.add(chunk, index);
    }
    onProgress(chunk.first + chunk.starts.length, total);
  }
  signal.throwIfAborted();
  await groups.end();
  return total;
}

/** Yields chunks, and reads the next one while a chunk is being consumed. */
async function* readAhead(chunks: AsyncGenerator<RowChunk>): AsyncGenerator<RowChunk> {
  let next = chunks.next();
  for (let result = await next; result.done !== true; result = await next) {
    next = chunks.next();
    // If the consumer stops early, no one awaits the chunk.
    next.catch(() => undefined);
    yield result.value;
  }
}

/** Value that a column had last, for values that rows repeat. */
interface LastValue {
  readonly element: PreviousElement;
  written: unknown;
}

class ParquetGroups {
  private readonly columns: readonly ParquetColumn[];
  private readonly writer: ParquetWriter;
  private readonly groupRows: number;
  private readonly lastValues: readonly LastValue[];
  private values: unknown[][];
  private rows = 0;

  constructor(
    private readonly table: ResultTable,
    file: ExportFile,
  ) {
    const columns = table.columns.map(({ name }, index) =>
      parquetColumn(name, table.profile(index)),
    );
    if (table.hasOverflow) columns.push(overflowColumn);
    this.columns = columns;
    this.lastValues = columns.map(() => ({ element: new PreviousElement(), written: undefined }));
    this.groupRows = Math.max(MIN_ROWS, Math.floor(CELLS_IN_GROUP / Math.max(1, columns.length)));
    this.values = this.emptyGroup();
    const root = { name: 'root', num_children: columns.length };
    const schema = [root, ...columns.map(({ element }) => element)];
    this.writer = new ParquetWriter({ writer: parquetFile(file), schema });
  }

  async add(chunk: RowChunk, index: number): Promise<void> {
    const { columns, table } = this;
    table.readRow(chunk, index, this.addElement);
    if (table.hasOverflow) {
      const overflow = table.getOverflowValues(chunk, index);
      if (overflow.size > 0) {
        this.set(columns.length - 1, formatJson(Object.fromEntries(overflow)));
      }
    }
    this.rows += 1;
    if (this.rows >= this.groupRows) await this.writeGroup();
  }

  private readonly addElement: TakeElement = (column, element) => {
    const last = this.lastValues[column];
    if (!last) return;
    if (!last.element.isRepeated(element)) last.written = this.columns[column]?.read(element);
    this.set(column, last.written);
  };

  private set(column: number, value: unknown): void {
    const own = this.values[column];
    if (own) own[this.rows] = value;
  }

  async end(): Promise<void> {
    if (this.rows > 0) await this.writeGroup();
    await this.writer.finish();
  }

  private async writeGroup(): Promise<void> {
    const { values, rows } = this;
    for (const own of values) own.length = rows;
    const columnData = this.columns.map(({ element: { name } }, index) => ({
      name,
      data: values[index] ?? [],
    }));
    await this.writer.write({ columnData, rowGroupSize: rows });
    this.values = this.emptyGroup();
    this.rows = 0;
  }

  private emptyGroup(): unknown[][] {
    return this.columns.map(() => new Array<unknown>(this.groupRows).fill(undefined));
  }
}

/** Passes the output of a Parquet writer to a file, one row group at a time. */
function parquetFile(file: ExportFile): Writer {
  const bytes = new ByteWriter();
  const flush = async (): Promise<void> => {
    const written = new Uint8Array(bytes.getBuffer());
    bytes.index = 0;
    await file.write(written);
  };
  const writer: Writer = bytes;
  writer.flush = flush;
  writer.finish = flush;
  return writer;
}
