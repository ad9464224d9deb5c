import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fleetTables } from '../../../../src/service/store/migrations/0001-fleet';
import {
  BASELINE,
  migrateToLatest,
  type SchemaVersion,
  VERSIONS,
} from '../../../../src/service/store/migrations/migrations';
import {
  POSTGRES_SCHEMA,
  SQLITE_SCHEMA,
} from '../../../../src/service/store/migrations/schemaDialect';
import { listFragmentUses } from '../../../../src/service/store/fragmentUses';
import { insertOrganization } from '../../../../src/service/store/organizations';
import { openSqliteStore } from '../../../../src/service/store/openStore';

describe('a fleet with the first version of the schema', () => {
  let directory: string;
  let file: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'fleetwright-'));
    file = join(directory, 'fleet.db');
    const database = new DatabaseSync(file);
    for (const statement of fleetTables(SQLITE_SCHEMA)) {
      database.exec(statement);
    }
    // The two tables in which the migrator records its progress.
    database.exec(`
      create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null);
      insert into kysely_migration values ('0001-fleet', '2026-01-01T00:00:00.000Z');
      create table kysely_migration_lock (id varchar(255) not null primary key, is_locked integer default 0 not null);
      insert into kysely_migration_lock values ('migration_lock', 0);
      insert into organizations values ('acme', 'Acme', 1, null, '', null, null, null, '{}');
      insert into locations values ('hall', 'acme', null, 'Hall', 1, '', '{}');
      insert into machines values ('arm', 'hall', 'arm', 1, '{}');
      insert into fragments values
        ('inner', 'acme', 'inner', '{}', 1, 'r1', 1, 1),
        ('outer', 'acme', 'outer', '{"fragments":[{"id":"inner"},"inner"]}', 1, 'r2', 1, 1);
      insert into parts values
        ('main', 'arm', 'arm-main', 1, '{"fragments":["outer","gone"]}', 1, 1, null, null, null, '{}'),
        ('second', 'arm', 'second', 0, '{"modules":[{"module_id":"acme:wheels"}]}', 1, 1, null, null, null, '{}');`);
    database.close();
  });

  afterEach(() => rm(directory, { recursive: true }));

  it('preserves everything, and indexes the fragments and modules that its machines use', async () => {
    const store = await openSqliteStore(file);
    try {
      const parts = await store.selectFrom('parts').selectAll().orderBy('id').execute();
      assert.deepEqual(
        parts.map(({ id, restart_told_at }) => [id, restart_told_at]),
        [
          ['main', null],
          ['second', null],
        ],
      );
      const uses = await listFragmentUses(store, ['inner', 'outer'], 'acme');
      assert.deepEqual([...uses].map(([id, { parts: count }]) => [id, count]).toSorted(), [
        ['inner', 1],
        ['outer', 1],
      ]);
      const used = await store.selectFrom('registry_uses').selectAll().execute();
      assert.deepEqual(
        used.map(({ item_ref, part_id, fragment_id }) => [item_ref, part_id, fragment_id]),
        [['acme:wheels', 'second', null]],
      );
    } finally {
      await store.destroy();
    }
  });
});

describe('a migration of an embedded database', () => {
  it('changes nothing if its record cannot be written', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'fleetwright-'));
    try {
      const file = join(directory, 'fleet.db');
      await (await openSqliteStore(file)).destroy();
      const upgrade = async (): Promise<void> => {
        const store = await openSqliteStore(file);
        try {
          await migrateToLatest(store, SQLITE_SCHEMA, {
            ...VERSIONS,
            '9999-future': { statements: () => ['create table motto (text text)'] },
          });
        } finally {
          await store.destroy();
        }
      };
      using database = new DatabaseSync(file);
      database.exec(`create trigger full_disk before insert on kysely_migration
        begin select raise(abort, 'the disk is full'); end`);
      await assert.rejects(upgrade(), /could not be brought to the current schema/);
      database.exec('drop trigger full_disk');
      await upgrade();
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

describe('a database with a newer schema', () => {
  let directory: string;
  let file: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'fleetwright-'));
    file = join(directory, 'fleet.db');
  });
  afterEach(() => rm(directory, { recursive: true }));

  /** Migrates the database like a newer program that has one more schema version. */
  const upgrade = async (newest: SchemaVersion): Promise<void> => {
    const store = await openSqliteStore(file);
    await migrateToLatest(store, SQLITE_SCHEMA, { ...VERSIONS, '9999-future': newest });
    await store.destroy();
  };
  const readNames = (): unknown[] => {
    using database = new DatabaseSync(file);
    return database.prepare('select name from kysely_migration').all();
  };

  it('can be opened and is not changed if the schema only has additions', async () => {
    await upgrade({
      statements: () => ["alter table organizations add column motto text not null default ''"],
    });
    const names = readNames();
    const store = await openSqliteStore(file);
    await insertOrganization(store, { id: 'acme', name: 'Acme', createdAt: 1 });
    await store.destroy();
    assert.deepEqual(readNames(), names);
  });

  it('is rejected and is not changed if a version is breaking', async () => {
    await upgrade({
      statements: () => ['alter table organizations drop column name'],
      isBreaking: true,
    });
    const names = readNames();
    await assert.rejects(
      openSqliteStore(file),
      /newer version of Fleetwright \(schema 9999-future\): update Fleetwright/,
    );
    assert.deepEqual(readNames(), names);
  });
});

describe('schema versions', () => {
  const ADDITIONS = [
    /^create table /,
    /^create index /,
    /^alter table \w+ add column \w+ \w+( not null default \S+)?$/,
  ];
  const recent = Object.entries(VERSIONS).filter(([name]) => name > BASELINE);

  it('after the baseline only add to the schema, or are marked as breaking', () => {
    for (const [name, { statements, isBreaking = false }] of recent) {
      for (const statement of [SQLITE_SCHEMA, POSTGRES_SCHEMA].flatMap(statements)) {
        const isAddition = ADDITIONS.some((pattern) => pattern.test(statement.trim()));
        assert.ok(isAddition || isBreaking, `${name}: ${statement}`);
      }
    }
  });
});
