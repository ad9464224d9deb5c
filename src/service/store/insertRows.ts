import { CompiledQuery } from 'kysely';
import { isSqlite } from './isSqlite';
import type { FleetSchema } from './schema';
import type { StoreAccess } from './store';

/**
 * Numbers of rows per statement, largest first. There are only a few sizes, so that the database
 * can reuse compiled statements. All sizes require far fewer parameters than the database allows.
 */
const BATCH_SIZES = [256, 32, 4, 1];

/**
 * Inserts many rows. Generates the SQL without a query builder, because a query builder takes
 * longer than the database takes to insert the rows.
 * @param columns names of columns, in the order of each row's values.
 */
export async function insertRows<Table extends keyof FleetSchema>(
  access: StoreAccess,
  table: Table,
  columns: readonly (keyof FleetSchema[Table] & string)[],
  rows: readonly (readonly (string | number | null)[])[],
): Promise<void> {
  let start = 0;
  for (const size of BATCH_SIZES) {
    if (rows.length - start < size) {
      continue;
    }
    const text = `insert into ${table} (${columns.join(', ')}) values
      ${placeholders(access, size, columns.length)}`;
    for (; rows.length - start >= size; start += size) {
      const parameters = rows.slice(start, start + size).flat();
      await access.executeQuery(CompiledQuery.raw(text, parameters));
    }
  }
}

function placeholders(access: StoreAccess, rowCount: number, columnCount: number): string {
  const isNumbered = !isSqlite(access);
  const row = (first: number): string => {
    const columns = Array.from({ length: columnCount }, (_, n) =>
      isNumbered ? `$${String(first + n)}` : '?',
    );
    return `(${columns.join(', ')})`;
  };
  return Array.from({ length: rowCount }, (_, n) => row(n * columnCount + 1)).join(', ');
}
