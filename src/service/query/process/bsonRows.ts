import type { DuckDBResult } from '@duckdb/node-api';
import { serialize } from 'bson';

/** The rows of a result as BSON documents, a chunk after the other. */
export async function* bsonRows(result: DuckDBResult): AsyncGenerator<Uint8Array, void> {
  const names = result.deduplicatedColumnNames();
  for await (const chunk of result) {
    for (const row of chunk.getRows()) {
      yield serialize(Object.fromEntries(names.map((name, index) => [name, row[index]])));
    }
  }
}
