import {
  DuckDBBlobValue,
  DuckDBDecimalValue,
  DuckDBInstance,
  DuckDBTimestampTZValue,
} from '@duckdb/node-api';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The contents of a Parquet file as read by DuckDB. Times are in ISO 8601, bytes in hexadecimal.
 */
export interface ReadParquet {
  readonly types: Readonly<Record<string, string>>;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/**
 * Reads a Parquet file.
 * @param asText true to have DuckDB cast all values to text, in UTC.
 */
export async function readParquet(bytes: Uint8Array, asText = false): Promise<ReadParquet> {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-parquet-'));
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  try {
    const path = join(folder, 'result.parquet');
    writeFileSync(path, bytes);
    const reader = await connection.runAndReadAll(`select * from read_parquet('${path}')`);
    const texts = `select columns(*)::varchar from read_parquet('${path}')`;
    const shown = asText ? await connection.runAndReadAll(texts) : reader;
    const types = reader.columnTypes().map((type) => type.alias ?? String(type));
    const names = reader.columnNames();
    return {
      types: Object.fromEntries(names.map((name, index) => [name, types[index] ?? ''])),
      rows: shown
        .getRowObjects()
        .map((row) => Object.fromEntries(names.map((name) => [name, plain(row[name])]))),
    };
  } finally {
    connection.closeSync();
    instance.closeSync();
    rmSync(folder, { recursive: true, force: true });
  }
}

function plain(value: unknown): unknown {
  if (value instanceof DuckDBDecimalValue) return String(value);
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('hex');
  if (value instanceof DuckDBTimestampTZValue) {
    return new Date(Number(value.micros / 1_000n)).toISOString();
  }
  return value;
}
