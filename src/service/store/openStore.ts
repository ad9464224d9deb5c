import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  sql,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
} from 'kysely';
import { Pool, types } from 'pg';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { Logger } from '../../base/logger';
import { CONNECTION_TIMES, ConnectionWatch } from './connectionWatch';
import { migrateToLatest } from './migrations/migrations';
import { POSTGRES_SCHEMA, SQLITE_SCHEMA } from './migrations/schemaDialect';
import type { FleetSchema } from './schema';
import type { Store } from './store';

const PG_INT8 = 20;
const STATEMENT_TIMEOUT_MS = 60_000;
/**
 * Time in milliseconds after which the database ends the transaction of a service that was suspended
 * or lost its network. Until then, other services wait for its locks, so it must be shorter than the
 * timeout of their statements.
 */
const IDLE_TRANSACTION_TIMEOUT_MS = 20_000;
const SET_IDLE_TRANSACTION_TIMEOUT = `set idle_in_transaction_session_timeout = ${String(IDLE_TRANSACTION_TIMEOUT_MS)}`;

/**
 * Image of an empty in-memory store. Loading the image takes only a fraction of the time that the
 * migrations take.
 */
let emptyMemory: Uint8Array | undefined;

/**
 * Opens the embedded store and migrates its schema.
 * @param path path of a database file, or undefined for an in-memory store.
 */
export async function openSqliteStore(path: string | undefined): Promise<Store> {
  if (path === undefined) return openMemoryStore();
  const store = sqliteStore(new NodeSqliteDatabase(path));
  return migrated(store, () => migrateToLatest(store, SQLITE_SCHEMA));
}

async function openMemoryStore(): Promise<Store> {
  const database = new NodeSqliteDatabase(':memory:', emptyMemory);
  const store = sqliteStore(database);
  if (emptyMemory) return store;
  await migrated(store, () => migrateToLatest(store, SQLITE_SCHEMA));
  emptyMemory = database.save();
  return store;
}

function sqliteStore(database: NodeSqliteDatabase): Store {
  return new Kysely<FleetSchema>({ dialect: new TransactionalSqliteDialect({ database }) });
}

/**
 * Dialect with which the migrator runs all steps in a transaction, together with their records.
 * Otherwise, a step would be repeated, and fail, after a crash before its record was written.
 */
class TransactionalSqliteDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter();
  }
}

class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/**
 * Opens a store in PostgreSQL, or in a distributed database with the same protocol, and migrates
 * its schema.
 * @param url `postgres://user:password@host:port/database`
 * @throws if the database can't be reached or its schema can't be migrated.
 */
export async function openPostgresStore(
  url: string,
  logger: Logger,
  times = CONNECTION_TIMES,
): Promise<Store> {
  const store = connectPostgresStore(url, logger, times);
  return migrated(store, async () => {
    await migrateToLatest(store, POSTGRES_SCHEMA);
    await requireAscendingIds(store);
  });
}

/** Error for a database that doesn't assign IDs in ascending order. */
export class UnorderedIdsError extends Error {
  override readonly name = 'UnorderedIdsError';
}

/**
 * Checks that readings get IDs in the order of their insertion, also in different sessions. If each
 * session reserved a range of IDs, queries would miss readings, because everything up to an ID is
 * sealed at once.
 * @throws UnorderedIdsError
 */
async function requireAscendingIds(store: Store): Promise<void> {
  const takeId = async (session: Store): Promise<number> => {
    const { rows } = await sql<{ id: number }>`
      select nextval(pg_get_serial_sequence('readings', 'id')) as id`.execute(session);
    return rows[0]?.id ?? 0;
  };
  const ids = await store.connection().execute(async (first) => {
    const before = await takeId(first);
    const between = await store.connection().execute(takeId);
    return [before, between, await takeId(first)];
  });
  if (ids.some((id, index) => index > 0 && id <= (ids[index - 1] ?? 0))) {
    throw new UnorderedIdsError(
      'the database reserves ranges of IDs for each session, so queries would miss readings: run ' +
        '"ALTER SEQUENCE readings_id_seq CACHE 1", and in YugabyteDB set ysql_sequence_cache_minval=1',
    );
  }
}

/** Like `openPostgresStore`, but doesn't migrate the schema. Connections are opened on demand. */
export function connectPostgresStore(url: string, logger: Logger, times = CONNECTION_TIMES): Store {
  const pool = new Pool({
    connectionString: url,
    connectionTimeoutMillis: times.connectMs,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    types: {
      // Converts 64-bit columns to numbers, as with SQLite. The columns contain microseconds and
      // counts far below 2^53.
      getTypeParser: (oid: number, format?: 'text' | 'binary'): unknown =>
        oid === PG_INT8 ? Number : types.getTypeParser(oid, format),
    },
  });
  // Without listeners, a connection that fails between two queries would terminate the process. The
  // pool emits the errors of idle connections, and each active connection emits its own errors. The
  // pool replaces a failed connection. If a query encounters the same error, the query reports it.
  pool.on('error', () => undefined);
  pool.on('connect', (connection) => {
    connection.on('error', (error) => {
      logger.warn('a connection to the database was lost', { error: error.message });
    });
  });
  new ConnectionWatch(pool, times);
  return new Kysely<FleetSchema>({
    dialect: new PostgresDialect({
      pool,
      // Poolers reject unknown parameters of connections, and some databases don't have this one.
      onCreateConnection: async (connection) => {
        await connection
          .executeQuery(CompiledQuery.raw(SET_IDLE_TRANSACTION_TIMEOUT))
          .catch(() => undefined);
      },
    }),
  });
}

async function migrated(store: Store, migrate: () => Promise<void>): Promise<Store> {
  try {
    await migrate();
    return store;
  } catch (error) {
    await store.destroy();
    throw error;
  }
}

const MAX_CACHED_STATEMENTS = 500;
const ROLLBACK = 'rollback';
const NOTHING_CHANGED = { changes: 0, lastInsertRowid: 0 };

/**
 * Adapter from `node:sqlite` to the interface that Kysely's SQLite dialect requires. Prepared
 * statements are in an LRU cache keyed by their SQL text, because preparing a statement is more
 * expensive than running it.
 */
class NodeSqliteDatabase implements SqliteDatabase {
  private readonly database: DatabaseSync;
  private readonly statements = new Map<string, SqliteStatement>();

  /**
   * @param path file path, or `:memory:` for a database that is lost when the process exits
   * @param image saved image of another in-memory database
   */
  constructor(path: string, image?: Uint8Array) {
    this.database = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 5000 });
    if (image) this.database.deserialize(image);
    // With synchronous FULL, an acknowledged write survives a power failure as well as a process
    // crash.
    this.database.exec('pragma journal_mode = wal; pragma synchronous = full;');
  }

  prepare(sql: string): SqliteStatement {
    const cached = this.statements.get(sql);
    this.statements.delete(sql);
    const statement = cached ?? this.compile(sql);
    this.statements.set(sql, statement);
    if (this.statements.size > MAX_CACHED_STATEMENTS) {
      for (const oldest of this.statements.keys()) {
        this.statements.delete(oldest);
        break;
      }
    }
    return statement;
  }

  private compile(sql: string): SqliteStatement {
    const statement = asKyselyStatement(this.database.prepare(sql));
    if (sql.trim().toLowerCase() !== ROLLBACK) return statement;
    // SQLite itself rolls back the transaction after errors such as a full disk. A second rollback
    // would then fail, and its error would hide the original error, which callers might be able to
    // handle.
    return {
      ...statement,
      run: (parameters) =>
        this.database.isTransaction ? statement.run(parameters) : NOTHING_CHANGED,
    };
  }

  /** Saves the whole database. Returns undefined if Node.js doesn't support it. */
  save(): Uint8Array | undefined {
    return 'serialize' in this.database ? this.database.serialize() : undefined;
  }

  close(): void {
    this.statements.clear();
    this.database.close();
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
