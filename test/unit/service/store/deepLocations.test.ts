import assert from 'node:assert/strict';
import { deleteLocation, insertLocation } from '../../../../src/service/store/locations';
import {
  deleteOrganization,
  insertOrganization,
} from '../../../../src/service/store/organizations';
import { openSqliteStore } from '../../../../src/service/store/openStore';
import type { Store } from '../../../../src/service/store/store';

/** Number of nested locations, which exceeds SQLite's maximum cascade depth. */
const LEVELS = 1_100;

describe('deeply nested locations', () => {
  let store: Store;

  beforeEach(async () => {
    store = await openSqliteStore(undefined);
    await insertOrganization(store, { id: 'acme', name: 'Acme', createdAt: 1 });
    for (let level = 0; level < LEVELS; level += 1) {
      await insertLocation(store, {
        id: `l${level}`,
        organizationId: 'acme',
        parentId: level === 0 ? null : `l${level - 1}`,
        name: 'hall',
        region: '',
        createdAt: level,
      });
    }
  });
  afterEach(() => store.destroy());

  const locationIds = async (): Promise<string[]> =>
    (await store.selectFrom('locations').select('id').execute()).map(({ id }) => id);

  it('are deleted with their parent location', async () => {
    await deleteLocation(store, 'l1');
    assert.deepEqual(await locationIds(), ['l0']);
  });

  it('are deleted with their organization', async () => {
    await deleteOrganization(store, 'acme');
    assert.deepEqual(await locationIds(), []);
  });
});
