import { ByteWriter, ParquetWriter, type Writer } from 'hyparquet-writer';
import type { ExportFile } from '../../data/export/exportFile';
import type { DataValue } from '../../data/tables/dataValue';
import { formatJson } from '../../data/tables/formatJson';
import { readDataValue } from '../results/bson/bsonValue';
import type { ResultTable } from '../results/resultTable';
import type { RowChunk } from '../results/rowStore';
import { JSON_TEXT, type ParquetColumn, parquetColumn } from './parquetColumn';
import { resultLayout } from './resultRow';

/** Number of values to write at a time, small enough that other work can run between writes. */
const CELLS_IN_GROUP = 50_000;
const FEWEST_ROWS = 256;

export interface ParquetExport {
  readonly file: ExportFile;
  readonly signal: AbortSignal;
  /** Called with the number of written rows and the total. */
  readonly onProgress: (rows: number, of: number) => void;
}

const overflowColumn: ParquetColumn = {
  element: { name: resultLayout.overflowName, repetition_type: 'OPTIONAL', ...JSON_TEXT },
  written: (value) => value,
};

/**
 * Writes all rows of a table as Parquet. Chooses the format of each column based on its values.
 * @returns the number of rows.
 */
export async function writeParquet(
  table: ResultTable,
  { file, signal, onProgress }: ParquetExport,
): Promise<number> {
  const groups = new ParquetGroups(table, file);
  const total = table.store.count;
  for await (const chunk of table.store.readChunks(0, total, signal)) {
    for (let index = 0; index < chunk.starts.length; index += 1) {
      await groups.add(chunk, index);
    }
    onProgress(chunk.first + chunk.starts.length, total);
  }
  signal.throwIfAborted();
  await groups.end();
  return total;
}

class ParquetGroups {
  private readonly columns: readonly ParquetColumn[];
  private readonly writer: ParquetWriter;
  private readonly groupRows: number;
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
    this.groupRows = Math.max(
      FEWEST_ROWS,
      Math.floor(CELLS_IN_GROUP / Math.max(1, columns.length)),
    );
    this.values = this.emptyGroup();
    const root = { name: 'root', num_children: columns.length };
    const schema = [root, ...columns.map(({ element }) => element)];
    this.writer = new ParquetWriter({ writer: parquetFile(file), schema });
  }

  async add(chunk: RowChunk, index: number): Promise<void> {
    const { values, columns, rows, table } = this;
    const take = (column: number, value: DataValue): void => {
      const own = values[column];
      if (own) own[rows] = columns[column]?.written(value);
    };
    table.readRow(chunk, index, (column, element) => take(column, readDataValue(element)));
    if (table.hasOverflow) {
      const overflow = table.getOverflowValues(chunk, index);
      if (overflow.size > 0) take(columns.length - 1, formatJson(Object.fromEntries(overflow)));
    }
    this.rows += 1;
    if (this.rows >= this.groupRows) await this.writeGroup();
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
