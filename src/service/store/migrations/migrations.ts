import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { FleetSchema } from '../schema';
import type { Store, StoreAccess } from '../store';
import { fleetTables } from './0001-fleet';
import { fillFragmentUse, fragmentUseTables } from './0002-fragmentUse';
import { inviteTables } from './0003-invites';
import { fillRegistryUses, registryTables } from './0004-registry';
import { binaryDataTables } from './0005-binaryData';
import { readingTables } from './0006-readings';
import { lakeTables } from './0007-lake';
import { databaseUserTables } from './0008-databaseUsers';
import { binarySeriesTables, fillBinarySeries } from './0009-binarySeries';
import { logTables } from './0010-logs';
import { logCaseColumns } from './0011-logCase';
import { packageTables } from './0012-packages';
import { trainingTables } from './0013-training';
import { encryptedSecretColumns } from './0014-encryptedSecrets';
import { configReportTables } from './0015-configReports';
import { blobGenerationColumns } from './0016-blobGenerations';
import { sharedLakeTables } from './0017-sharedLake';
import type { SchemaDialect } from './schemaDialect';

/**
 * Error thrown if a database was written by a newer version of the program. Opening the database
 * requires that version.
 */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
}

interface Version {
  statements: (dialect: SchemaDialect) => string[];
  /** Fills the new tables from existing data. */
  fill?: (db: Kysely<FleetSchema>) => Promise<void>;
}

/**
 * All schema versions, in order. A released version is never edited. Changes are added as a new
 * version.
 */
const VERSIONS: Record<string, Version> = {
  '0001-fleet': { statements: fleetTables },
  '0002-fragmentUse': { statements: fragmentUseTables, fill: fillFragmentUse },
  '0003-invites': { statements: inviteTables },
  '0004-registry': { statements: registryTables, fill: fillRegistryUses },
  '0005-binaryData': { statements: binaryDataTables },
  '0006-readings': { statements: readingTables },
  '0007-lake': { statements: lakeTables },
  '0008-databaseUsers': { statements: databaseUserTables },
  '0009-binarySeries': { statements: binarySeriesTables, fill: fillBinarySeries },
  '0010-logs': { statements: logTables },
  '0011-logCase': { statements: logCaseColumns },
  '0012-packages': { statements: packageTables },
  '0013-training': { statements: trainingTables },
  '0014-encryptedSecrets': { statements: encryptedSecretColumns },
  '0015-configReports': { statements: configReportTables },
  '0016-blobGenerations': { statements: blobGenerationColumns },
  '0017-sharedLake': { statements: sharedLakeTables },
};

/**
 * Migrates the schema to the latest version, with one transaction per step. On PostgreSQL, multiple
 * processes can run this concurrently, because the migrator takes a lock.
 * @throws if a step fails, or if the database was written by a newer version of Fleetwright.
 */
export async function migrateToLatest(store: Store, dialect: SchemaDialect): Promise<void> {
  const migrations = Object.fromEntries(
    Object.entries(VERSIONS).map(([name, version]) => [name, createMigration(version, dialect)]),
  );
  const migrator = new Migrator({
    db: store,
    provider: { getMigrations: () => Promise.resolve(migrations) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    const newer = await findNewerVersion(store);
    if (newer !== undefined) {
      throw new NewerSchemaError(
        `the data was written by a newer version of Fleetwright (schema ${newer}): update Fleetwright`,
        { cause: error },
      );
    }
    throw new Error('the database could not be brought to the current schema', { cause: error });
  }
}

/** Returns true if the database has exactly the current schema. */
export async function hasCurrentSchema(store: StoreAccess): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(store);
  const names = Object.keys(VERSIONS).toSorted();
  return rows.length === names.length && rows.every(({ name }, index) => name === names[index]);
}

/**
 * Returns the last schema version in the database that this program doesn't support; undefined if
 * there is none.
 */
async function findNewerVersion(store: Store): Promise<string | undefined> {
  try {
    const { rows } = await sql<{ name: string }>`
      select name from kysely_migration order by name desc`.execute(store);
    return rows.map(({ name }) => name).find((name) => !(name in VERSIONS));
  } catch {
    // The database doesn't respond or has never had a schema, so a newer version isn't the cause of
    // the error.
    return undefined;
  }
}

function createMigration({ statements, fill }: Version, dialect: SchemaDialect): Migration {
  return {
    async up(db: Kysely<FleetSchema>) {
      const run = async (access: Kysely<FleetSchema>): Promise<void> => {
        for (const statement of statements(dialect)) {
          await sql.raw(statement).execute(access);
        }
        await fill?.(access);
      };
      // The migrator opens a transaction only if it knows that the database supports DDL in
      // transactions. It assumes that SQLite doesn't.
      await (db.isTransaction ? run(db) : db.transaction().execute(run));
    },
  };
}
