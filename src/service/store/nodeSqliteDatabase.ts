import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

const MAX_CACHED_STATEMENTS = 500;
const ROLLBACK = 'rollback';
const NOTHING_CHANGED = { changes: 0, lastInsertRowid: 0 };

/**
 * `node:sqlite` with the interface that Kysely's SQLite dialect uses. Prepared statements are in an
 * LRU cache by their text, because preparing costs more than running.
 */
export class NodeSqliteDatabase implements SqliteDatabase {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, SqliteStatement>();

  /**
   * @param path a file, or `:memory:` for a database that is lost when the process ends
   * @param image saved image of another in-memory database
   */
  constructor(path: string, image?: Uint8Array) {
    this.#database = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 5000 });
    if (image) this.#database.deserialize(image);
    // Synchronous FULL: an acknowledged write survives a power failure, not only a crash of the
    // process.
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
    // SQLite itself rolls back a transaction after errors such as a full disk. An error from a
    // second rollback would hide the original error from anyone who can act on it.
    return {
      ...statement,
      run: (parameters) =>
        this.#database.isTransaction ? statement.run(parameters) : NOTHING_CHANGED,
    };
  }

  /** Saves the whole database. Returns undefined if Node.js doesn't support it. */
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

// Rows contain only types that SQLite supports: the schema has no type that would require a
// conversion here.
function values(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[];
}
