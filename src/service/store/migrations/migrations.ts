import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { FleetSchema } from '../schema';
import { findSetting, putSetting } from '../settings';
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
import { logPositionIndex } from './0018-logPositions';
import { coldReadingColumns } from './0019-coldReadings';
import type { SchemaDialect } from './schemaDialect';

/**
 * Error thrown if a database has the schema of a newer version of the program that this version can't
 * use.
 */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
}

export interface SchemaVersion {
  statements: (dialect: SchemaDialect) => string[];
  /** Fills the new tables from existing data. */
  fill?: (db: Kysely<FleetSchema>) => Promise<void>;
  /**
   * True if programs of earlier versions can't use the schema anymore, for example because a column
   * was removed. Other versions only add tables, indexes, and columns that can be omitted, because
   * during an upgrade, earlier programs still use the database (ADR 51).
   */
  isBreaking?: boolean;
}

/** The last version before programs recorded which earlier schemas they are compatible with. */
export const BASELINE = '0016-blobGenerations';

/**
 * All schema versions, in order. A released version is never edited. Changes are added as a new
 * version.
 */
export const VERSIONS: Readonly<Record<string, SchemaVersion>> = {
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
  '0018-logPositions': { statements: logPositionIndex },
  '0019-coldReadings': { statements: coldReadingColumns },
};

/**
 * Migrates the schema to the latest version in a single transaction, which includes the record of the
 * steps. On PostgreSQL, multiple processes can run this concurrently. Changes nothing if the schema
 * is a newer one that this version can use.
 * @param versions all schema versions that the program knows, in order.
 * @throws if a step fails, or NewerSchemaError.
 */
export async function migrateToLatest(
  store: Store,
  dialect: SchemaDialect,
  versions = VERSIONS,
): Promise<void> {
  if (await isCompatibleNewerSchema(store, versions)) return;
  const migrations = Object.fromEntries(
    Object.entries(versions).map(([name, version]) => [
      name,
      createMigration(name, version, dialect),
    ]),
  );
  const migrator = new Migrator({
    db: store,
    provider: { getMigrations: () => Promise.resolve(migrations) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    // Another service has migrated the schema at the same time, although the migrator takes a lock:
    // poolers that assign a connection for each transaction lose it. All steps are in one
    // transaction, so this service has changed nothing.
    if (await hasCurrentSchema(store, versions).catch(() => false)) return;
    const newer = await findNewerVersion(store, versions);
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
export async function hasCurrentSchema(store: StoreAccess, versions = VERSIONS): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(store);
  const names = Object.keys(versions).toSorted();
  return rows.length === names.length && rows.every(({ name }, index) => name === names[index]);
}

/**
 * Returns the last schema version in the database that this program doesn't support; undefined if
 * there is none.
 */
async function findNewerVersion(
  store: Store,
  versions: typeof VERSIONS,
): Promise<string | undefined> {
  try {
    const { rows } = await sql<{ name: string }>`
      select name from kysely_migration order by name desc`.execute(store);
    return rows.map(({ name }) => name).find((name) => !(name in versions));
  } catch {
    // The database doesn't respond or has never had a schema, so a newer version isn't the cause of
    // the error.
    return undefined;
  }
}

/** Returns true if the database has a newer schema, and this program supports it. */
async function isCompatibleNewerSchema(store: Store, versions: typeof VERSIONS): Promise<boolean> {
  if ((await findNewerVersion(store, versions)) === undefined) return false;
  const oldest = (await findSetting(store, 'oldest_schema')) ?? BASELINE;
  return oldest in versions;
}

function createMigration(
  name: string,
  { statements, fill, isBreaking = false }: SchemaVersion,
  dialect: SchemaDialect,
): Migration {
  return {
    async up(db: Kysely<FleetSchema>) {
      for (const statement of statements(dialect)) {
        await sql.raw(statement).execute(db);
      }
      await fill?.(db);
      if (isBreaking) await putSetting(db, 'oldest_schema', name);
    },
  };
}
