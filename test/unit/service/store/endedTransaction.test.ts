import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { insertOrganization } from '../../../../src/service/store/organizations';
import { openSqliteStore } from '../../../../src/service/store/openStore';
import type { Store } from '../../../../src/service/store/store';

describe('a transaction that SQLite has rolled back', () => {
  let store: Store;

  beforeEach(async () => {
    store = await openSqliteStore(undefined);
  });
  afterEach(() => store.destroy());

  const organizationIds = async (): Promise<string[]> =>
    (await store.selectFrom('organizations').select('id').execute()).map(({ id }) => id);

  it('fails with the error of SQLite, changes nothing, and does not block others', async () => {
    const diskFull = new Error('database or disk is full');
    await assert.rejects(
      store.transaction().execute(async (transaction) => {
        await insertOrganization(transaction, { id: 'acme', name: 'Acme', createdAt: 1 });
        // Simulates a full disk when SQLite commits.
        await sql`rollback`.execute(transaction);
        throw diskFull;
      }),
      diskFull,
    );
    assert.deepEqual(await organizationIds(), []);
    await store
      .transaction()
      .execute((transaction) =>
        insertOrganization(transaction, { id: 'acme', name: 'Acme', createdAt: 1 }),
      );
    assert.deepEqual(await organizationIds(), ['acme']);
  });
});
