import { DatabaseSync } from 'node:sqlite';

/** Structure of a table, for copying its rows. */
export interface TableShape {
  name: string;
  columns: readonly string[];
  /** Column that refers to another row of the same table by its `id`. */
  parentColumn: string | undefined;
  /** Column that numbers rows in insertion order. */
  sequenceColumn: string | undefined;
}

/**
 * Returns the tables of a fleet's database file. Each table follows the tables that its rows refer
 * to.
 */
export function tableShapes(path: string): TableShape[] {
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
