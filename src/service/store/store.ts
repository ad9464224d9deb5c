import {
  CompiledQuery,
  type Kysely,
  type RawBuilder,
  sql,
  SqliteAdapter,
  type Transaction,
} from 'kysely';
import type { FleetSchema } from './schema';
import { queryByIds } from './identifiers';

/** System of record. Both databases have the same tables and the same interface. */
export type Store = Kysely<FleetSchema>;

/** Store, or a transaction on it. Query functions accept either as their first parameter. */
export type StoreAccess = Store | Transaction<FleetSchema>;

/** Returns true for the embedded store. The only other store is PostgreSQL. */
export function isSqlite(access: StoreAccess): boolean {
  return access.getExecutor().adapter instanceof SqliteAdapter;
}

/**
 * Allows only one transaction at a time for a resource. Decisions based on data that the
 * transaction reads afterward therefore remain valid until it commits. In PostgreSQL, an update
 * without changes locks the row. SQLite runs only one transaction at a time anyway.
 */
export async function lockRow(
  access: StoreAccess,
  table: 'organizations' | 'locations' | 'machines' | 'parts' | 'api_keys' | 'registry_items',
  id: string,
): Promise<void> {
  await sql`update ${sql.table(table)} set name = name where id = ${id}`.execute(access);
}

/**
 * Takes a shared lock on an organization. Transactions with shared locks can run concurrently with
 * each other, but not with a transaction that locks the row. SQLite runs only one transaction at a
 * time anyway.
 */
export async function shareOrganization(
  access: StoreAccess,
  organizationId: string,
): Promise<void> {
  if (!isSqlite(access)) {
    await sql`select id from organizations where id = ${organizationId} for share`.execute(access);
  }
}

const PARAMETER = 'prepared-parameter';

/**
 * Query with one parameter, whose SQL is built only once for each kind of database. Building the
 * SQL takes longer than the embedded store takes to run a query by ID, which matters for queries
 * that most calls make.
 */
export class PreparedQuery<Row> {
  private readonly compiled = new Map<boolean, CompiledQuery<Row>>();

  constructor(
    private readonly build: (
      access: StoreAccess,
      parameter: string,
    ) => { compile: () => CompiledQuery<Row> },
  ) {}

  /** Runs the query and returns all rows. */
  async execute(access: StoreAccess, parameter: string): Promise<Row[]> {
    const kind = isSqlite(access);
    const query = this.compiled.get(kind) ?? this.build(access, PARAMETER).compile();
    this.compiled.set(kind, query);
    const parameters = query.parameters.map((value) => (value === PARAMETER ? parameter : value));
    return (await access.executeQuery<Row>({ ...query, parameters })).rows;
  }
}

/**
 * Numbers of rows per statement, largest first. There are only a few sizes, so that the database
 * can reuse compiled statements. All sizes require far fewer parameters than the database allows.
 */
const BATCH_SIZES = [256, 32, 4, 1];

/**
 * Inserts many rows. Generates the SQL without a query builder, because a query builder takes
 * longer than the database takes to insert the rows.
 * @param columns column names, in the same order as each row's values.
 */
export async function insertRows<Table extends keyof FleetSchema>(
  access: StoreAccess,
  table: Table,
  columns: readonly (keyof FleetSchema[Table] & string)[],
  rows: readonly (readonly (string | number | null)[])[],
): Promise<void> {
  let start = 0;
  for (const size of BATCH_SIZES) {
    if (rows.length - start < size) continue;
    const text = `insert into ${table} (${columns.join(', ')}) values
      ${placeholders(access, size, columns.length)}`;
    for (; rows.length - start >= size; start += size) {
      const parameters = rows.slice(start, start + size).flat();
      await access.executeQuery(CompiledQuery.raw(text, parameters));
    }
  }
}

function placeholders(access: StoreAccess, rowCount: number, columnCount: number): string {
  if (isSqlite(access)) {
    const row = `(${Array<string>(columnCount).fill('?').join(', ')})`;
    return Array<string>(rowCount).fill(row).join(', ');
  }
  const row = (first: number): string => {
    const columns = Array.from({ length: columnCount }, (_, n) => `$${String(first + n)}`);
    return `(${columns.join(', ')})`;
  };
  return Array.from({ length: rowCount }, (_, n) => row(n * columnCount + 1)).join(', ');
}

/**
 * Maximum total size, in bytes, of content that is guaranteed to have few enough values to be
 * parsed and encoded in one step.
 */
export const MAX_SMALL_BYTES = 16 * 1024;

/** Column values to measure, in the rows whose ID column contains one of the given IDs. */
export interface MeasuredTexts {
  readonly table: string;
  readonly column: string;
  readonly idColumn?: string;
  readonly id: string | readonly string[];
}

function sumTextBytes(
  { table, column, idColumn = 'id' }: Omit<MeasuredTexts, 'id'>,
  ids: readonly string[],
): RawBuilder<{ bytes: number }> {
  return sql`select coalesce(sum(octet_length(${sql.ref(column)})), 0) as bytes
    from ${sql.table(table)} where ${sql.ref(idColumn)} in (${sql.join(ids)})`;
}

/** Returns the total size, in bytes, of the values, without loading the values. */
export async function measureTexts(access: StoreAccess, texts: MeasuredTexts): Promise<number> {
  const ids = typeof texts.id === 'string' ? [texts.id] : texts.id;
  const rows = await queryByIds(
    ids,
    async (batch) => (await sumTextBytes(texts, batch).execute(access)).rows,
  );
  return rows.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Prepares `measureTexts` for the value of a column in the row with an ID. */
export function prepareMeasurement(
  table: string,
  column: string,
): PreparedQuery<{ bytes: number }> {
  return new PreparedQuery((access, id) => {
    const query = sumTextBytes({ table, column }, [id]);
    return { compile: () => query.compile(access) };
  });
}

/**
 * Returns true if the total size of the values is so large that their processing must run in
 * `DocumentWork`.
 */
export async function hasLargeTexts(
  access: StoreAccess,
  ...texts: readonly MeasuredTexts[]
): Promise<boolean> {
  let bytes = 0;
  for (const measured of texts) bytes += await measureTexts(access, measured);
  return bytes > MAX_SMALL_BYTES;
}
