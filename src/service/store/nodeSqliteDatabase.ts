import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

const MAX_CACHED_STATEMENTS = 500;
const ROLLBACK = 'rollback';
const NOTHING_CHANGED = { changes: 0, lastInsertRowid: 0 };

/**
 * Adapter from `node:sqlite` to the interface that Kysely's SQLite dialect requires. Prepared
 * statements are in an LRU cache keyed by their SQL text, because preparing a statement is more
 * expensive than running it.
 */
export class NodeSqliteDatabase implements SqliteDatabase {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, SqliteStatement>();

  /**
   * @param path file path, or `:memory:` for a database that is lost when the process exits
   * @param image saved image of another in-memory database
   */
  constructor(path: string, image?: Uint8Array) {
    this.#database = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 5000 });
    if (image) this.#database.deserialize(image);
    // With synchronous FULL, an acknowledged write survives a power failure as well as a crash of
    // the process.
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
    // SQLite itself rolls back the transaction after errors such as a full disk. A second rollback
    // would then fail, and its error would hide the original error, which callers might be able to
    // handle.
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

// Returns the parameters unchanged. Rows contain only types that SQLite supports, so no conversion
// is necessary.
function values(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[];
}
