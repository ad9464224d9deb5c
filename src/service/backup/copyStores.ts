import { CompiledQuery, sql } from 'kysely';
import { DatabaseSync } from 'node:sqlite';
import { CommandError } from '../files/commandError';
import { isSqlite, type Store, type StoreAccess } from '../store/store';
import { hasCurrentSchema } from '../store/migrations/migrations';
import { openSqliteStore } from '../store/openStore';
import { findReason, isDatabaseDamaged } from '../store/storeErrors';

type Row = Readonly<Record<string, unknown>>;

const FETCH_ROWS = 500;
/**
 * Maximum number of parameters per statement. PostgreSQL allows 65,535, and SQLite allows 32,766.
 */
const MAX_PARAMETERS = 10_000;

/**
 * Copies a consistent snapshot of a fleet from PostgreSQL to a new SQLite file.
 * @param source database to copy; closed afterward.
 * @throws CommandError if the database contains no fleet with the current schema.
 */
export async function copyFromPostgres(source: Store, path: string): Promise<void> {
  try {
    if (!(await hasCurrentSchema(source).catch(wrongSchema))) wrongSchema();
    const target = await openSqliteStore(path);
    try {
      await source
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute((snapshot) => copyTables(snapshot, target, path));
    } finally {
      await target.destroy();
    }
  } finally {
    await source.destroy();
  }
}

/** Copies a fleet from a SQLite file to an empty PostgreSQL store with the same schema. */
export async function copyIntoPostgres(path: string, target: Store): Promise<void> {
  const source = await openSqliteStore(path);
  try {
    await target.transaction().execute((transaction) => copyTables(source, transaction, path));
  } finally {
    await source.destroy();
  }
}

function wrongSchema(cause?: unknown): never {
  throw new CommandError(
    'the database contains no fleet that this version of Fleetwright can copy: run the version that ' +
      'serves the fleet, and check --database-url',
    undefined,
    { cause },
  );
}

/**
 * @param file SQLite file, which is either the source or the target. The dependencies between
 *   tables are read from this file.
 */
async function copyTables(from: StoreAccess, to: StoreAccess, file: string): Promise<void> {
  const shapes = tableShapes(file);
  // The copied rows replace the rows that the migrations created.
  for (const { name } of shapes.toReversed()) {
    await sql`delete from ${sql.table(name)}`.execute(to);
  }
  for (const shape of shapes) {
    const links: { id: unknown; parent: unknown }[] = [];
    for await (const rows of readRows(from, shape)) {
      await insert(
        to,
        shape,
        rows.map((row) => withoutOwnParent(row, shape, links)),
      );
    }
    // A row can be inserted before the row in the same table that it refers to.
    for (const { id, parent } of links) {
      await sql`update ${sql.table(shape.name)} set ${sql.ref(shape.parentColumn ?? '')} = ${parent}
        where id = ${id}`.execute(to);
    }
    if (shape.sequenceColumn !== undefined) {
      await copySequence(from, to, shape.name, shape.sequenceColumn);
    }
  }
}

function withoutOwnParent(
  row: Row,
  { parentColumn }: TableShape,
  links: { id: unknown; parent: unknown }[],
): Row {
  if (parentColumn === undefined || row[parentColumn] === null) return row;
  links.push({ id: row.id, parent: row[parentColumn] });
  return { ...row, [parentColumn]: null };
}

async function* readRows(from: StoreAccess, shape: TableShape): AsyncGenerator<readonly Row[]> {
  if (isSqlite(from)) {
    const rows = from
      .selectFrom(sql<Row>`${sql.table(shape.name)}`.as('copied'))
      .selectAll()
      .stream();
    let batch: Row[] = [];
    for await (const row of rows) {
      batch.push(row);
      if (batch.length === FETCH_ROWS) {
        yield batch;
        batch = [];
      }
    }
    if (batch.length > 0) yield batch;
    return;
  }
  const text = `select ${shape.columns.join(', ')} from ${shape.name}`;
  await sql.raw(`declare copied_rows no scroll cursor for ${text}`).execute(from);
  for (;;) {
    const { rows } = await sql
      .raw<Row>(`fetch ${String(FETCH_ROWS)} from copied_rows`)
      .execute(from);
    if (rows.length === 0) break;
    yield rows;
  }
  await sql.raw('close copied_rows').execute(from);
}

async function insert(
  to: StoreAccess,
  { name, columns, sequenceColumn }: TableShape,
  rows: readonly Row[],
): Promise<void> {
  const numbered = !isSqlite(to);
  const overriding = numbered && sequenceColumn !== undefined ? 'overriding system value' : '';
  const size = Math.max(1, Math.floor(MAX_PARAMETERS / columns.length));
  for (let start = 0; start < rows.length; start += size) {
    const values = rows.slice(start, start + size).flatMap((row) => columns.map((one) => row[one]));
    const tuples: string[] = [];
    for (let first = 0; first < values.length; first += columns.length) {
      const placeholders = columns.map((_, n) => (numbered ? `$${String(first + n + 1)}` : '?'));
      tuples.push(`(${placeholders.join(', ')})`);
    }
    const text = `insert into ${name} (${columns.join(', ')}) ${overriding} values ${tuples.join(', ')}`;
    await to.executeQuery(CompiledQuery.raw(text, values));
  }
}

/**
 * Continues the source's sequence, so that the numbers of deleted rows, which clients might still
 * have, are not reused.
 */
async function copySequence(
  from: StoreAccess,
  to: StoreAccess,
  table: string,
  column: string,
): Promise<void> {
  const last = await lastNumber(from, table, column);
  if (last === undefined) return;
  if (isSqlite(to)) {
    await sql`delete from sqlite_sequence where name = ${table}`.execute(to);
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(to);
  } else {
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${last})`.execute(to);
  }
}

async function lastNumber(
  from: StoreAccess,
  table: string,
  column: string,
): Promise<number | undefined> {
  const { rows } = isSqlite(from)
    ? await sql<{ last: number | null }>`
        select seq as last from sqlite_sequence where name = ${table}`.execute(from)
    : await sql<{ last: number | null }>`
        select pg_sequence_last_value(pg_get_serial_sequence(${table}, ${column})::regclass) as last
      `.execute(from);
  return rows[0]?.last ?? undefined;
}

/** Structure of a table, for copying its rows. */
interface TableShape {
  name: string;
  columns: readonly string[];
  /** Column that refers to another row in the same table by its `id`. */
  parentColumn: string | undefined;
  /** Column that numbers rows in insertion order. */
  sequenceColumn: string | undefined;
}

/**
 * Returns the tables of a fleet's database file. Each table follows the tables that its rows refer
 * to.
 */
function tableShapes(path: string): TableShape[] {
  const database = new DatabaseSync(path);
  try {
    // Excludes the migrator's tables and the index of log messages, which triggers fill.
    const names = database
      .prepare(
        `select name from pragma_table_list
         where schema = 'main' and type = 'table'
           and name not like 'sqlite\\_%' escape '\\' and name not like 'kysely\\_%' escape '\\'
         order by name`,
      )
      .all()
      .map(({ name }) => String(name));
    const ordered: string[] = [];
    const visit = (name: string): void => {
      if (ordered.includes(name)) return;
      listReferences(database, name)
        .filter(({ table }) => table !== name)
        .forEach(({ table }) => {
          visit(table);
        });
      ordered.push(name);
    };
    names.forEach(visit);
    return ordered.map((name) => readTableShape(database, name));
  } finally {
    database.close();
  }
}

function listReferences(database: DatabaseSync, name: string): { table: string; column: string }[] {
  return database
    .prepare('select "table", "from" from pragma_foreign_key_list(?)')
    .all(name)
    .map((row) => ({ table: String(row.table), column: String(row.from) }));
}

function readTableShape(database: DatabaseSync, name: string): TableShape {
  const columns = database.prepare('select name, type, pk from pragma_table_info(?)').all(name);
  const { sql } = database.prepare('select sql from sqlite_master where name = ?').get(name) ?? {};
  const isNumbered = /\bautoincrement\b/i.test(String(sql));
  const key = columns.find(({ pk }) => pk === 1);
  return {
    name,
    columns: columns.map((column) => String(column.name)),
    parentColumn: listReferences(database, name).find(({ table }) => table === name)?.column,
    sequenceColumn: isNumbered && key !== undefined ? String(key.name) : undefined,
  };
}

/**
 * Checks the structure of a database file and the references between rows.
 * @returns the first problem; undefined if there is none.
 */
export function findDatabaseProblem(path: string): string | undefined {
  using database = new DatabaseSync(path);
  try {
    const [result] = Object.values(database.prepare('pragma quick_check(1)').get() ?? {});
    if (result !== 'ok') return String(result).replaceAll(/\s+/g, ' ').trim();
    const orphan = database.prepare('pragma foreign_key_check').get();
    return (
      orphan &&
      `a row of ${String(orphan.table)} belongs to a missing row of ${String(orphan.parent)}`
    );
  } catch (error) {
    if (isDatabaseDamaged(error)) return findReason(error);
    throw error;
  }
}
