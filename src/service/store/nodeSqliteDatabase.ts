import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

const MAX_CACHED_STATEMENTS = 500;
const ROLLBACK = 'rollback';
const NOTHING_CHANGED = { changes: 0, lastInsertRowid: 0 };

/**
 * `node:sqlite` in the shape that Kysely's SQLite dialect drives. Prepared statements are kept by
 * their text, the least recently used making room, because preparing costs more than running.
 */
export class NodeSqliteDatabase implements SqliteDatabase {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, SqliteStatement>();

  /**
   * @param path a file, or `:memory:` for a database that ends with the process
   * @param image what another database in memory was saved as
   */
  constructor(path: string, image?: Uint8Array) {
    this.#database = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 5000 });
    if (image) this.#database.deserialize(image);
    // Synchronous FULL: an acknowledged write survives the loss of power, not only of the process.
    this.#database.exec('pragma journal_mode = wal; pragma synchronous = full;');
  }

  prepare(sql: string): SqliteStatement {
    const cached = this.#statements.get(sql);
    this.#statements.delete(sql);
    const statement = cached ?? this.#compile(sql);
    this.#statements.set(sql, statement);
    if (this.#statements.size > MAX_CACHED_STATEMENTS) {
      for (const oldest of this.#statements.keys()) {
        this.#statements.delete(oldest);
        break;
      }
    }
    return statement;
  }

  #compile(sql: string): SqliteStatement {
    const statement = asKyselyStatement(this.#database.prepare(sql));
    if (sql.trim().toLowerCase() !== ROLLBACK) {
      return statement;
    }
    // SQLite ends a transaction by itself over faults such as a full disk. Refusing to do it again
    // would hide the fault from anyone who can act on it.
    return {
      ...statement,
      run: (parameters) =>
        this.#database.isTransaction ? statement.run(parameters) : NOTHING_CHANGED,
    };
  }

  /** Saves the whole database. Returns undefined on a Node.js that cannot. */
  save(): Uint8Array | undefined {
    return 'serialize' in this.#database ? this.#database.serialize() : undefined;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }
}

function asKyselyStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    run: (parameters) => statement.run(...values(parameters)),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  };
}

// Rows hold only what SQLite knows: the schema has no type that would need another form here.
function values(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[];
}
