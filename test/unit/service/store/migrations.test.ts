import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fleetTables } from '../../../../src/service/store/migrations/0001-fleet';
import { SQLITE_SCHEMA } from '../../../../src/service/store/migrations/schemaDialect';
import { listFragmentUses } from '../../../../src/service/store/fragmentUses';
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

describe('a fleet of a newer version', () => {
  it('is rejected with that reason, and not changed', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'fleetwright-'));
    try {
      const file = join(directory, 'fleet.db');
      await (await openSqliteStore(file)).destroy();
      const database = new DatabaseSync(file);
      const insert =
        "insert into kysely_migration values ('9999-future', '2030-01-01T00:00:00.000Z')";
      database.exec(insert);
      await assert.rejects(
        openSqliteStore(file),
        /newer version of Fleetwright \(schema 9999-future\)/,
      );
      const { count } =
        database.prepare('select count(*) as count from kysely_migration').get() ?? {};
      assert.ok(Number(count) > 10);
      database.close();
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
