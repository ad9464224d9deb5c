import assert from 'node:assert/strict';
import { Client } from 'pg';
import { openPostgresStore } from '../../src/service/store/openStore';
import { hasCurrentSchema } from '../../src/service/store/migrations/migrations';
import { postgresForTests, type TestPostgres } from '../support/postgres';
import { silentLogger } from '../support/silentLogger';

/** Timeout that includes the installation of a PostgreSQL server before its first use. */
const TIMEOUT_MS = 120_000;

describe('nodes that migrate a PostgreSQL database at the same time', function () {
  this.timeout(TIMEOUT_MS);
  let postgres: TestPostgres;

  before(async () => {
    postgres = await postgresForTests();
  });
  after(() => postgres.stop());

  async function migrateTwice(url: string): Promise<void> {
    const stores = await Promise.all([
      openPostgresStore(url, silentLogger),
      openPostgresStore(url, silentLogger),
    ]);
    for (const store of stores) {
      assert.ok(await hasCurrentSchema(store));
      await store.destroy();
    }
  }

  it('all start', async () => {
    await migrateTwice(await postgres.url());
  });

  it('all start if advisory locks have no effect', async () => {
    const url = await postgres.url();
    const admin = new Client({ connectionString: url });
    await admin.connect();
    await admin.query(`create schema without_locks;
      create function without_locks.pg_advisory_lock(bigint) returns void
        language sql as 'select';
      create function without_locks.pg_advisory_unlock(bigint) returns boolean
        language sql as 'select true';
      do $$ begin
        execute format('alter database %I set search_path = without_locks, pg_catalog, public',
          current_database());
      end $$`);
    await admin.end();
    await migrateTwice(url);
  });
});
