import assert from 'node:assert/strict';
import { ReadingsLake } from '../../src/service/lake/readingsLake';
import { openPostgresStore, openSqliteStore } from '../../src/service/store/openStore';
import type { Store } from '../../src/service/store/store';
import { LakeNode } from '../support/lakeNode';
import { describeObjectStore, objectStoreForTests } from '../support/objectStore';
import {
  deleteOdd,
  RACE_ORGANIZATION,
  RACE_START,
  RacingUploads,
  ReadingsRace,
  sorted,
} from '../support/readingsRace';
import { silentLogger } from '../support/silentLogger';

const UPLOADS = { writers: 6, uploads: 20 };
const TIMEOUT_MS = 120_000;

/**
 * Number of services, like those on different computers that share a database and possibly a
 * bucket.
 */
const LAKES = 2;

describe('the lake during concurrent uploads and deletions', function () {
  this.timeout(TIMEOUT_MS);
  let race: ReadingsRace;

  before(async () => {
    race = await ReadingsRace.start();
  });
  after(() => race[Symbol.asyncDispose]());

  const openPostgres = async (): Promise<Store> =>
    openPostgresStore(await race.postgres.url(), silentLogger);
  const openFolder = (store: Store): Promise<ReadingsLake> =>
    ReadingsLake.open({
      store,
      runner: race.runner,
      logger: silentLogger,
      directory: undefined,
      now: () => RACE_START,
    });

  it('loses and duplicates nothing with SQLite', async () => {
    await run(await openSqliteStore(undefined), openFolder);
  });

  it('loses and duplicates nothing with PostgreSQL', async () => {
    await run(await openPostgres(), openFolder);
  });

  describeObjectStore('in a bucket', () => {
    it('loses and duplicates nothing with PostgreSQL', async () => {
      const url = await (await objectStoreForTests()).createBucket();
      await using nodes = new AsyncDisposableStack();
      await run(await openPostgres(), async (store) => {
        const node = nodes.use(await LakeNode.open({ store, url, runner: race.runner }));
        return node.lake;
      });
    });
  });

  async function run(
    store: Store,
    openLake: (store: Store) => Promise<ReadingsLake>,
  ): Promise<void> {
    const lakes = await Promise.all(Array.from({ length: LAKES }, () => openLake(store)));
    try {
      const uploads = await RacingUploads.begin(store, UPLOADS);
      const deleteWhileWriting = async (): Promise<void> => {
        while (uploads.isWriting) await deleteOdd(store);
      };
      await Promise.all([
        uploads.finished,
        deleteWhileWriting(),
        ...lakes.map((lake) => uploads.readWhileWriting(() => race.query(lake))),
      ]);
      const stored = await store.selectFrom('readings').select('payload').execute();
      const expected = sorted(
        stored.map(({ payload }) => (JSON.parse(payload) as { n: number }).n),
      );
      for (const lake of lakes) {
        assert.deepEqual(sorted(await race.query(lake)), expected);
        lake.readingsDeleted(RACE_ORGANIZATION);
        await lake.waitUntilIdle();
        assert.deepEqual(sorted(await race.query(lake)), expected);
      }
      assert.deepEqual(await store.selectFrom('deleted_readings').selectAll().execute(), []);
    } finally {
      await Promise.all(lakes.map((lake) => lake.close()));
      await store.destroy();
    }
  }
});
