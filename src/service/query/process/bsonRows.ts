import type { DuckDBResult } from '@duckdb/node-api';
import { nullable, createValueWriter } from './bsonValues';
import { BsonWriter } from './bsonWriter';

/**
 * Encodes the rows of a result as BSON documents, one chunk of rows at a time. Each yielded value
 * contains concatenated documents.
 * @param options.names names of the columns. A second column with the same name is renamed to
 *   `name_1` so that no value is lost.
 * @param options.exactValues as in a `SqlJob`.
 */
export async function* bsonRows(
  result: DuckDBResult,
  {
    names = result.columnNames(),
    exactValues = false,
  }: { names?: readonly string[]; exactValues?: boolean } = {},
): AsyncGenerator<Uint8Array, void> {
  const keys = uniqueNames(names);
  const writers = result
    .columnTypes()
    .map((type) => nullable(createValueWriter(type, exactValues)));
  const out = new BsonWriter();
  for await (const chunk of result) {
    const vectors = keys.map((_, index) => chunk.getColumnVector(index));
    for (let row = 0; row < chunk.rowCount; row += 1) {
      out.document(() => {
        for (let index = 0; index < keys.length; index += 1) {
          writers[index]?.(out, keys[index] ?? '', vectors[index]?.getItem(row) ?? null);
        }
      });
      if (out.isFull) {
        yield out.take();
      }
    }
  }
  if (out.byteLength > 0) {
    yield out.take();
  }
}

function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set(names);
  const given = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let count = 1; given.has(unique); count += 1) {
      const candidate = `${name}_${String(count)}`;
      unique = taken.has(candidate) ? unique : candidate;
    }
    given.add(unique);
    return unique;
  });
}
