import assert from 'node:assert/strict';
import { listMerged } from '../../../../src/service/store/data/lakeManifest';
import { openSqliteStore } from '../../../../src/service/store/openStore';
import { organizationRow } from '../../../support/lakeRows';

const KEY = { catalogId: 'catalog', organizationId: 'acme' };
const DELETION = {
  place: KEY.catalogId,
  organization_id: KEY.organizationId,
  series_id: 1,
  day: 20_000,
  through_id: 100,
  deleted_to: 1,
};

describe('the list of merged files', () => {
  it('retains a deletion that a file sealed during the merge needs', async () => {
    const store = await openSqliteStore(undefined);
    try {
      await store.insertInto('organizations').values(organizationRow('acme')).execute();
      await store
        .insertInto('lake_progress')
        .values({ place: KEY.catalogId, organization_id: 'acme', sealed_through: 150 })
        .execute();
      await store.insertInto('deleted_readings').values(DELETION).execute();
      const merge = (sealed: number): Promise<void> =>
        store.transaction().execute((transaction) =>
          listMerged(transaction, KEY, {
            sources: [],
            results: [],
            appliedDeletions: [DELETION],
            sealed,
          }),
        );
      const count = async (): Promise<number> =>
        (await store.selectFrom('deleted_readings').selectAll().execute()).length;
      await merge(50);
      assert.equal(await count(), 1);
      await merge(100);
      assert.equal(await count(), 0);
    } finally {
      await store.destroy();
    }
  });
});
