import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Store } from '../store';
import { fleetTables } from './0001-fleet';
import type { SchemaDialect } from './schemaDialect';

/** Every version of the schema in order; a released one is never edited, only followed by another. */
const VERSIONS: Record<string, (dialect: SchemaDialect) => string[]> = {
  '0001-fleet': fleetTables,
};

/**
 * Brings the schema to the newest version, each step in a transaction. Safe to run from several
 * processes at once on PostgreSQL: the migrator takes a lock.
 * @throws when a step fails, or when the database was written by a newer Fleetwright.
 */
export async function migrateToLatest(store: Store, dialect: SchemaDialect): Promise<void> {
  const migrations = Object.fromEntries(
    Object.entries(VERSIONS).map(([name, statements]) => [name, migrationOf(statements(dialect))]),
  );
  const migrator = new Migrator({
    db: store,
    provider: { getMigrations: () => Promise.resolve(migrations) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    throw new Error('the database could not be brought to the current schema', { cause: error });
  }
}

function migrationOf(statements: string[]): Migration {
  return {
    async up(db) {
      for (const statement of statements) {
        await sql.raw(statement).execute(db);
      }
    },
  };
}
