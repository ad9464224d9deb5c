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
import { binarySeriesTables, fillBinarySeries } from './0009-binarySeries';
import type { SchemaDialect } from './schemaDialect';

/**
 * Creates the columns for case-folded messages. They are used if a message contains letters that
 * the databases can't fold.
 */
function logCaseColumns({ foldedLogTextIndex }: SchemaDialect): string[] {
  return [`alter table log_lines add column folded text`, ...foldedLogTextIndex];
}

/**
 * Renames the column of secrets, which are now encrypted with a key that isn't stored in the
 * database. Each start encrypts secrets that aren't encrypted yet (`secrets/unlockSecrets.ts`).
 * Older versions of the program must not open the store, because they would return encrypted
 * secrets without decrypting them.
 */
function encryptedSecretColumns(): string[] {
  return [`alter table secrets rename column secret to encrypted_secret`];
}

/** Creates the table for credentials of organizations' database users. */
function databaseUserTables(): string[] {
  return [
    `create table database_users (
      organization_id text primary key references organizations (id) on delete cascade,
      salt text not null,
      iterations integer not null,
      stored_key text not null,
      server_key text not null,
      configured_at bigint not null
    )`,
  ];
}

/** Creates the tables for machine logs. */
function logTables({ sequenceColumn, logTextIndex }: SchemaDialect): string[] {
  return [
    `create table log_lines (
      id ${sequenceColumn},
      part_id text not null references parts (id) on delete cascade,
      logged_at bigint not null,
      stored_at bigint not null,
      size integer not null,
      level text not null,
      level_key text not null,
      logger_name text not null,
      host text not null,
      message text not null,
      caller text,
      stack text not null,
      fields text not null
    )`,
    `create index log_lines_by_time on log_lines (part_id, logged_at, id)`,
    `create index log_lines_by_level on log_lines (part_id, level_key, logged_at, id)`,
    `create index log_lines_by_age on log_lines (stored_at)`,
    ...logTextIndex,
  ];
}

/** Creates the tables for versions of registry items, and their archives. */
function packageTables({ sequenceColumn }: SchemaDialect): string[] {
  return [
    `create table package_versions (
      sequence ${sequenceColumn},
      item_id text not null references registry_items (id) on delete cascade,
      version text not null,
      metadata text not null,
      markdown_description text,
      created_at bigint not null,
      unique (item_id, version)
    )`,
    `create table package_files (
      id text primary key,
      item_id text not null,
      version text not null,
      platform text not null,
      platform_tags text not null,
      info text not null,
      blob_hash text not null references blobs (hash),
      file_size bigint not null,
      uploaded_at bigint not null,
      unique (item_id, version, platform),
      foreign key (item_id, version)
        references package_versions (item_id, version) on delete cascade
    )`,
    `create index package_files_by_blob on package_files (blob_hash)`,
  ];
}

/**
 * Creates the tables of the lake. They record which readings are in files for queries, and which of
 * these readings have been deleted. A `place` is a folder with these files. Services that share a
 * database each have one folder.
 */
function lakeTables(): string[] {
  return [
    `create table lake_progress (
      place text not null,
      organization_id text not null references organizations (id) on delete cascade,
      sealed_through bigint not null,
      primary key (place, organization_id)
    )`,
    `create table lake_files (
      name text primary key,
      place text not null,
      organization_id text not null references organizations (id) on delete cascade,
      day bigint not null,
      row_count bigint not null,
      byte_count bigint not null,
      last_synced_at bigint not null,
      shape text not null
    )`,
    `create index lake_files_by_organization on lake_files (organization_id, place, day)`,
    `create table deleted_readings (
      place text not null,
      series_id bigint not null,
      day bigint not null,
      through_id bigint not null,
      organization_id text not null references organizations (id) on delete cascade,
      deleted_to bigint not null,
      primary key (place, series_id, day, through_id)
    )`,
    `create index deleted_readings_by_organization on deleted_readings (organization_id, place)`,
    `create index readings_by_arrival on readings (organization_id, id)`,
  ];
}

/** Creates the tables for training jobs and their logs. */
function trainingTables({ sequenceColumn }: SchemaDialect): string[] {
  return [
    `create table training_jobs (
      sequence ${sequenceColumn},
      id text not null unique,
      organization_id text not null references organizations (id) on delete cascade,
      dataset_id text not null,
      model_name text not null,
      model_version text not null,
      model_type integer not null,
      model_framework integer not null,
      labels text not null,
      script_id text,
      script_item_id text,
      script_version text,
      arguments text not null,
      container_version text not null,
      status integer not null,
      error_code integer,
      error_message text,
      package_id text not null,
      created_at bigint not null,
      modified_at bigint not null,
      started_at bigint,
      ended_at bigint,
      attempts integer not null,
      runner text,
      beat_at bigint
    )`,
    // Includes only pending, running, completed, and canceling jobs. Failed and canceled jobs don't
    // reserve their version.
    `create unique index training_jobs_by_version
      on training_jobs (organization_id, model_name, model_version) where status in (1, 2, 3, 6)`,
    `create index training_jobs_by_organization on training_jobs (organization_id, sequence)`,
    `create index training_jobs_under_way on training_jobs (status, sequence)
      where status in (1, 2, 6)`,
    `create table training_log_lines (
      sequence ${sequenceColumn},
      job_id text not null references training_jobs (id) on delete cascade,
      logged_at bigint not null,
      level text not null,
      message text not null
    )`,
    `create index training_log_lines_by_job on training_log_lines (job_id, sequence)`,
  ];
}

/**
 * Error for a database that a newer version of the program has written. Opening the database
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
 * All versions of the schema, in order. A released version is never edited. Changes are added as a
 * new version.
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
