import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BlobCollector } from '../../src/service/blobs/blobCollector';
import { openFileBlobStore } from '../../src/service/blobs/fileBlobStore';
import { ReadingsLake } from '../../src/service/lake/readingsLake';
import { ReadingsReader } from '../../src/service/lake/readingsReader';
import { acquireLease, releaseLease } from '../../src/service/store/data/lakeLeases';
import {
  BUCKET_CATALOG,
  COLD_CATALOG,
  sealedThrough,
} from '../../src/service/store/data/lakeManifest';
import type { ReadingsEnd } from '../../src/service/store/data/readingsPages';
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
  toUnique,
} from '../support/readingsRace';
import { RecordingLogger } from '../support/recordingLogger';
import { silentLogger } from '../support/silentLogger';
import { waitUntil } from '../support/waitUntil';

const UPLOADS = { writers: 4, uploads: 10 };
const TIMEOUT_MS = 240_000;
/** Services ignore leases that expire later than this. */
const LEASE_MS = 60_000;
/** Makes all readings old at once, although a node's time is 1970. */
const EVERYTHING = -36_500;
const EVERY = { scopes: [], columns: [] };

describe('cold readings during concurrent uploads, deletions, moves, and reads', function () {
  this.timeout(TIMEOUT_MS);
  let race: ReadingsRace;

  before(async () => {
    race = await ReadingsRace.start();
  });
  after(() => race[Symbol.asyncDispose]());

  it('are neither lost nor duplicated with SQLite and files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
    const store = await openSqliteStore(undefined);
    const blobs = await openFileBlobStore(join(folder, 'blobs'));
    const logger = new RecordingLogger();
    const lake = await ReadingsLake.open({
      store,
      runner: race.runner,
      logger,
      directory: join(folder, 'lake'),
      contents: { blobs, collector: new BlobCollector(store, blobs) },
      hotDays: EVERYTHING,
      now: () => RACE_START,
    });
    await run(store, [lake]);
    assert.deepEqual(logger.lines, []);
    await store.destroy();
    await rm(folder, { recursive: true });
  });

  describeObjectStore('in a bucket', () => {
    it('are neither lost nor duplicated with PostgreSQL and two services', async () => {
      const url = await (await objectStoreForTests()).createBucket();
      const store = await openPostgresStore(await race.postgres.url(), silentLogger);
      {
        await using nodes = new AsyncDisposableStack();
        const { runner } = race;
        const open = async () =>
          nodes.use(await LakeNode.open({ store, url, runner, hotDays: EVERYTHING })).lake;
        await run(store, [await open(), await open()]);
      }
      await store.destroy();
    });

    it('do not block a query that waits for another service while they leave the records', async () => {
      const url = await (await objectStoreForTests()).createBucket();
      await using store = await openPostgresStore(await race.postgres.url(), silentLogger);
      const { runner } = race;
      await using node = await LakeNode.open({ store, url, runner, hotDays: EVERYTHING });
      const uploads = await RacingUploads.begin(store, { writers: 1, uploads: 1 });
      await uploads.finished;
      const key = { catalogId: BUCKET_CATALOG, organizationId: RACE_ORGANIZATION };
      const lease = (await acquireLease(store, key, 'seal', LEASE_MS)) ?? assert.fail();
      const waiting = race.query(node.lake);
      // The query knows which readings to wait for.
      await waitUntil(async () => (await sealedThrough(store, key)) !== undefined);
      await node.lake.moves?.poll();
      assert.deepEqual(await store.selectFrom('readings').select('id').execute(), []);
      await releaseLease(store, lease);
      assert.deepEqual(sorted(await waiting), sorted(uploads.acknowledged));
    });
  });

  async function run(store: Store, lakes: readonly ReadingsLake[]): Promise<void> {
    const uploads = await RacingUploads.begin(store, UPLOADS);
    let deleted = 0;
    const deleteWhileWriting = async (): Promise<void> => {
      while (uploads.isWriting) {
        deleted += await deleteOdd(store);
        for (const lake of lakes) lake.readingsDeleted(RACE_ORGANIZATION);
      }
    };
    const move = async (lake: ReadingsLake): Promise<void> => {
      while (uploads.isWriting) {
        await lake.moves?.poll();
        await lake.moves?.measure();
      }
    };
    await Promise.all([
      uploads.finished,
      deleteWhileWriting(),
      ...lakes.flatMap((lake) => [
        move(lake),
        uploads.readWhileWriting(() => race.query(lake)),
        uploads.readWhileWriting(() => list(store, lake)),
      ]),
    ]);
    deleted += await deleteOdd(store);
    const { acknowledged } = uploads;
    const even = sorted([...acknowledged].filter((n) => n % 2 === 0));
    assert.equal(deleted, acknowledged.size - even.length, 'each deletion counted once');
    for (const lake of lakes) {
      await lake.moves?.poll();
      lake.readingsDeleted(RACE_ORGANIZATION);
      await lake.waitUntilIdle();
    }
    for (const lake of lakes) {
      assert.deepEqual(sorted(await race.query(lake)), even);
      assert.deepEqual(sorted(await list(store, lake)), even);
      const { count } = await new ReadingsReader(store, lake.cold).count({ series: EVERY });
      assert.equal(count, even.length);
      await lake.waitUntilIdle();
    }
    const rest = await store.selectFrom('readings').select('id').execute();
    assert.equal(rest.length, 0, 'readings in the records');
    assert.deepEqual(await store.selectFrom('deleted_readings').selectAll().execute(), []);
    const files = await store.selectFrom('lake_files').select(['place', 'row_count']).execute();
    assert.ok(files.every(({ place }) => place === COLD_CATALOG));
    assert.equal(
      files.reduce((sum, { row_count: rows }) => sum + rows, 0),
      even.length,
      'deleted readings were removed from the files',
    );
    let moved = 0;
    for (const lake of lakes) {
      const load = await lake.moves?.measure();
      moved += load?.movedRows ?? 0;
      assert.deepEqual([load?.files, load?.oldestDueSeconds], [files.length, 0]);
      await lake.close();
    }
    assert.ok(moved >= even.length);
  }
});

/** Returns the numbers in all readings, which are read page by page. */
async function list(store: Store, lake: ReadingsLake): Promise<Set<number>> {
  const reader = new ReadingsReader(store, lake.cold);
  const numbers: number[] = [];
  let after: ReadingsEnd | undefined;
  do {
    const page = { oldestFirst: true, after, limit: 150, maxBytes: 1_000_000 };
    const { rows, end } = await reader.readPage({ series: EVERY }, page);
    numbers.push(...rows.map(({ payload }) => (JSON.parse(payload) as { n: number }).n));
    after = end;
  } while (after !== undefined);
  return toUnique(numbers);
}
