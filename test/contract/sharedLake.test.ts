import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Code } from '@connectrpc/connect';
import { sql } from 'kysely';
import { objectKey, parseObjectKey } from '../../src/service/blobs/objectBlobStore';
import { insertReadings } from '../../src/service/handlers/data/uploads';
import type { JobRunner, QueryJob } from '../../src/service/query/queryJob';
import type { QueryProcesses } from '../../src/service/query/queryProcesses';
import {
  acquireLease,
  lockLease,
  releaseLease,
  renewLease,
} from '../../src/service/store/data/lakeLeases';
import {
  BUCKET_CATALOG,
  clearSealed,
  lastReadingId,
  listSealed,
  NotListedError,
  unsealedRange,
} from '../../src/service/store/data/lakeManifest';
import { deleteReadings } from '../../src/service/store/data/readingsDeletion';
import { openPostgresStore, openSqliteStore } from '../../src/service/store/openStore';
import type { Store } from '../../src/service/store/store';
import { openQueryProcesses } from '../support/openQueryProcesses';
import { LakeNode } from '../support/lakeNode';
import { organizationRow, seriesRow } from '../support/lakeRows';
import {
  describeObjectStore,
  objectStoreForTests,
  type TestObjectStore,
} from '../support/objectStore';
import { postgresForTests, type TestPostgres } from '../support/postgres';
import { silentLogger } from '../support/silentLogger';
import { assertRejected } from './fleetFixture';

const TIMEOUT_MS = 300_000;
const START = Date.UTC(2026, 0, 1) * 1000;
const ORGANIZATION = 'acme';
const KEY = { catalogId: BUCKET_CATALOG, organizationId: ORGANIZATION };
/** Longer than any test, so that a lease expires only when a test says so. */
const LEASE_MS = 3_600_000;

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);

/** Stores a reading for each number, like an upload through any of the services. */
async function upload(store: Store, numbers: readonly number[], component = 'thermometer') {
  await store.transaction().execute((transaction) =>
    insertReadings(
      transaction,
      seriesRow(ORGANIZATION, component),
      numbers.map((n) => ({
        requestedAt: START + n,
        receivedAt: START,
        payload: JSON.stringify({ n }),
      })),
      START,
    ),
  );
}

const deleteComponent = async (store: Store, component: string): Promise<number> =>
  deleteReadings(
    store,
    {
      organizationId: ORGANIZATION,
      series: { scopes: [], columns: [{ column: 'component_name', anyOf: [component] }] },
      beforeDay: undefined,
      throughId: await lastReadingId(store),
    },
    new AbortController().signal,
  );

/** Lets a lease expire, as if its holder had been suspended for a long time. */
async function expireLeases(store: Store): Promise<void> {
  await store.updateTable('lake_leases').set({ expires_at: 0 }).execute();
}

describe('openPostgresStore', function () {
  this.timeout(TIMEOUT_MS);

  it('rejects a database whose sessions reserve IDs', async () => {
    const postgres = await postgresForTests();
    const url = await postgres.url();
    {
      await using store = await openPostgresStore(url, silentLogger);
      await sql`alter sequence readings_id_seq cache 100`.execute(store);
    }
    const message = /reserves ranges of IDs .* "ALTER SEQUENCE readings_id_seq CACHE 1"/;
    await assert.rejects(openPostgresStore(url, silentLogger), message);
    await postgres.stop();
  });
});

describe('leases for the files of readings', function () {
  this.timeout(TIMEOUT_MS);
  let postgres: TestPostgres;

  before(async () => {
    postgres = await postgresForTests();
  });
  after(() => postgres.stop());

  for (const name of ['SQLite', 'PostgreSQL'] as const) {
    const open = async (): Promise<Store> => {
      const store =
        name === 'SQLite'
          ? await openSqliteStore(undefined)
          : await openPostgresStore(await postgres.url(), silentLogger);
      await store.insertInto('organizations').values(organizationRow(ORGANIZATION)).execute();
      return store;
    };

    it(`have one holder each until they expire or are released, in ${name}`, async () => {
      await using store = await open();
      const acquire = () => acquireLease(store, KEY, 'seal', LEASE_MS);
      const concurrent = await Promise.all(range(0, 8).map(acquire));
      const first = concurrent.find((lease) => lease !== undefined) ?? assert.fail();
      assert.equal(concurrent.filter((lease) => lease !== undefined).length, 1);
      assert.ok(await acquireLease(store, KEY, 'merge', LEASE_MS));
      assert.ok(await renewLease(store, first, LEASE_MS));
      await expireLeases(store);
      assert.ok(await lockLease(store, first), 'no other service has acquired the lease');
      const second = (await acquire()) ?? assert.fail();
      assert.ok(second.token > first.token);
      assert.ok(!(await lockLease(store, first)));
      assert.ok(!(await renewLease(store, first, LEASE_MS)));
      await releaseLease(store, first);
      assert.equal(await acquire(), undefined);
      await releaseLease(store, second);
      assert.ok(await acquire());
    });

    it(`are required to list files, in ${name}`, async () => {
      await using store = await open();
      await upload(store, [1, 2]);
      const unsealed = (await unsealedRange(store, KEY)) ?? assert.fail();
      const stalled = (await acquireLease(store, KEY, 'seal', 0)) ?? assert.fail();
      const list = (lease: typeof stalled) =>
        store
          .transaction()
          .execute((transaction) => listSealed(transaction, KEY, unsealed, [], lease));
      const next = (await acquireLease(store, KEY, 'seal', 0)) ?? assert.fail();
      await assert.rejects(list(stalled), NotListedError);
      await clearSealed(store, KEY);
      await unsealedRange(store, KEY);
      await assert.rejects(list(next), NotListedError, 'the record was cleared since');
      await list((await acquireLease(store, KEY, 'seal', LEASE_MS)) ?? assert.fail());
    });
  }
});

describeObjectStore('the lake in a bucket that two services share', function () {
  this.timeout(TIMEOUT_MS);
  let server: TestObjectStore;
  let postgres: TestPostgres;
  let runner: QueryProcesses;
  let url: string;
  let stores: [Store, Store];
  let nodes: LakeNode[];

  before(async () => {
    server = await objectStoreForTests();
    postgres = await postgresForTests();
    runner = await openQueryProcesses();
  });
  beforeEach(async () => {
    nodes = [];
    url = await server.createBucket();
    const databaseUrl = await postgres.url();
    stores = [
      await openPostgresStore(databaseUrl, silentLogger),
      await openPostgresStore(databaseUrl, silentLogger),
    ];
    await stores[0].insertInto('organizations').values(organizationRow(ORGANIZATION)).execute();
  });
  afterEach(async () => {
    for (const node of nodes) await node[Symbol.asyncDispose]();
    for (const store of stores) await store.destroy();
  });
  after(async () => {
    await runner.close();
    await postgres.stop();
  });

  const openNode = async (
    index: 0 | 1,
    options: { runner?: JobRunner; runsJobs?: boolean; cacheBytes?: number } = {},
  ): Promise<LakeNode> => {
    const node = await LakeNode.open({
      store: stores[index],
      url,
      runner,
      leaseMs: LEASE_MS,
      ...options,
    });
    nodes.push(node);
    return node;
  };
  const collectAll = async ({ collector }: LakeNode): Promise<void> => {
    // The first pass only notes that nothing refers to the objects.
    await collector.collectWaiting();
    await collector.collectWaiting();
  };
  /** Returns a runner that waits in the first job of a kind, after the job has written its file. */
  const pausing = (kind: QueryJob['kind']) => {
    const reached = Promise.withResolvers<undefined>();
    const resumed = Promise.withResolvers<undefined>();
    const paused: JobRunner = {
      async *run(job, signal) {
        yield* runner.run(job, signal);
        if (job.kind !== kind) return;
        reached.resolve(undefined);
        await resumed.promise;
      },
    };
    return {
      runner: paused,
      reached: reached.promise,
      resume: () => {
        resumed.resolve(undefined);
      },
    };
  };

  it('has what either of them has stored in the next query of both', async () => {
    const [a, b] = [await openNode(0), await openNode(1)];
    for (let round = 0; round < 5; round += 1) {
      await upload(stores[round % 2 === 0 ? 0 : 1], range(round * 10, round * 10 + 10));
      const expected = range(0, round * 10 + 10);
      assert.deepEqual(await b.numbers(ORGANIZATION), expected);
      assert.deepEqual(await a.numbers(ORGANIZATION), expected);
    }
    const files = await stores[0].selectFrom('lake_files').selectAll().execute();
    assert.equal(files.length, 5, 'each reading was sealed once');
    assert.deepEqual(
      (await a.listKeys()).sort(),
      files.map(({ blob_hash }) => objectKey(blob_hash ?? '')).sort(),
    );
  });

  it('seals every reading once although both seal at the same time', async () => {
    const [a, b] = [await openNode(0), await openNode(1)];
    for (let round = 1; round <= 4; round += 1) {
      await upload(stores[0], range(round * 100 - 100, round * 100));
      const results = await Promise.all(
        [a, b, a, b].map(async (node) => node.numbers(ORGANIZATION)),
      );
      for (const numbers of results) assert.deepEqual(numbers, range(0, round * 100));
    }
    const files = await stores[0].selectFrom('lake_files').select('row_count').execute();
    assert.deepEqual(
      files.map(({ row_count }) => row_count),
      [100, 100, 100, 100],
    );
  });

  it('seals what arrived and removes what was deleted through a service that runs no jobs', async () => {
    const [api, b] = [await openNode(0, { runsJobs: false }), await openNode(1)];
    const countRows = async (): Promise<number[]> => {
      for (const { lake } of [api, b]) await lake.waitUntilIdle();
      const rows = await stores[0].selectFrom('lake_files').select('row_count').execute();
      return rows.map(({ row_count }) => row_count);
    };
    const count = 50_000;
    await upload(stores[0], range(0, count - 1));
    api.lake.readingsArrived(ORGANIZATION, count);
    await b.lake.maintain();
    assert.deepEqual(await countRows(), [], 'there are not enough readings to seal');
    await upload(stores[0], [count]);
    await b.lake.maintain();
    assert.deepEqual(await countRows(), [count]);
    await deleteComponent(stores[0], 'thermometer');
    api.lake.readingsDeleted(ORGANIZATION);
    assert.deepEqual(await countRows(), [count]);
    await b.lake.maintain();
    assert.deepEqual(await countRows(), []);
    assert.deepEqual(await stores[0].selectFrom('deleted_readings').selectAll().execute(), []);
  });

  it('stops waiting for the other service when the query is canceled', async () => {
    const pause = pausing('seal');
    const [a, b] = [await openNode(0, { runner: pause.runner }), await openNode(1)];
    await upload(stores[0], range(0, 10));
    const sealing = a.numbers(ORGANIZATION);
    await pause.reached;
    const canceling = new AbortController();
    const { signal } = canceling;
    const waiting = [1, 2].map(() => b.lake.snapshot(ORGANIZATION, { recent: false, signal }));
    canceling.abort(new Error('canceled by the caller'));
    for (const snapshot of waiting) await assert.rejects(snapshot, /canceled by the caller/);
    await b.lake.waitUntilIdle();
    pause.resume();
    assert.deepEqual(await sealing, range(0, 10));
    assert.deepEqual(await b.numbers(ORGANIZATION), range(0, 10));
  });

  it('does not list files of a service that lost its lease while it was suspended', async () => {
    const pause = pausing('seal');
    const [a, b] = [await openNode(0, { runner: pause.runner }), await openNode(1)];
    await upload(stores[0], range(0, 10));
    const stalled = a.numbers(ORGANIZATION);
    await pause.reached;
    await expireLeases(stores[1]);
    await upload(stores[1], range(10, 20));
    assert.deepEqual(await b.numbers(ORGANIZATION), range(0, 20));
    // The rows are deleted before the other service continues with its outdated copy of them.
    await deleteComponent(stores[1], 'thermometer');
    b.lake.readingsDeleted(ORGANIZATION);
    await b.lake.waitUntilIdle();
    await upload(stores[1], range(20, 30));
    pause.resume();
    assert.deepEqual(await stalled, [], 'everything that was stored before the query was deleted');
    assert.deepEqual(await b.numbers(ORGANIZATION), range(20, 30));
    const { rows } = await stores[0]
      .selectFrom('lake_files')
      .select((eb) => eb.fn.sum<string>('row_count').as('rows'))
      .executeTakeFirstOrThrow();
    assert.equal(Number(rows), 10);
    for (const node of [a, b]) await node.lake.waitUntilIdle();
    await collectAll(a);
    const listed = await stores[0].selectFrom('lake_files').select('name').execute();
    assert.equal((await a.listKeys()).length, listed.length, 'the unlisted object was collected');
  });

  it('does not list files of a merge whose lease was lost', async () => {
    const pause = pausing('merge');
    const [a, b] = [await openNode(0, { runner: pause.runner }), await openNode(1)];
    await upload(stores[0], range(0, 10));
    await upload(stores[0], range(10, 20), 'hygrometer');
    assert.deepEqual(await a.numbers(ORGANIZATION), range(0, 20));
    await deleteComponent(stores[0], 'hygrometer');
    a.lake.readingsDeleted(ORGANIZATION);
    await pause.reached;
    await expireLeases(stores[1]);
    await deleteComponent(stores[1], 'thermometer');
    await upload(stores[1], range(20, 30));
    b.lake.readingsDeleted(ORGANIZATION);
    await b.lake.waitUntilIdle();
    pause.resume();
    await a.lake.waitUntilIdle();
    for (const node of [a, b]) assert.deepEqual(await node.numbers(ORGANIZATION), range(20, 30));
    assert.deepEqual(await stores[0].selectFrom('deleted_readings').selectAll().execute(), []);
  });

  it('lets a query finish on files that another service has deleted', async () => {
    const [a, b] = [await openNode(0), await openNode(1)];
    await upload(stores[0], range(0, 10));
    await upload(stores[0], range(10, 20), 'hygrometer');
    await using running = await b.lake.snapshot(ORGANIZATION, { recent: false });
    await deleteComponent(stores[0], 'hygrometer');
    assert.deepEqual(await b.numbers(ORGANIZATION), range(0, 10), 'the next query');
    await b.lake.waitUntilIdle();
    a.lake.readingsDeleted(ORGANIZATION);
    await a.lake.waitUntilIdle();
    const before = await a.listKeys();
    await collectAll(a);
    assert.ok((await a.listKeys()).length < before.length);
    assert.deepEqual(await b.numbersIn(running.readings), range(0, 20), 'the running query');
    assert.deepEqual(await b.numbers(ORGANIZATION), range(0, 10));
  });

  it('reads the list again if files are merged and deleted before they are downloaded', async () => {
    const [a, b] = [await openNode(0), await openNode(1)];
    await upload(stores[0], range(0, 10));
    await upload(stores[0], range(10, 20), 'hygrometer');
    await a.numbers(ORGANIZATION);
    const pin = b.blobs.pinFile.bind(b.blobs);
    let isFirst = true;
    b.blobs.pinFile = async (blob) => {
      if (isFirst) {
        isFirst = false;
        await deleteComponent(stores[0], 'hygrometer');
        a.lake.readingsDeleted(ORGANIZATION);
        await a.lake.waitUntilIdle();
        await collectAll(a);
      }
      return pin(blob);
    };
    assert.deepEqual(await b.numbers(ORGANIZATION), range(0, 10));
    const { row_count } = await stores[0]
      .selectFrom('lake_files')
      .select('row_count')
      .executeTakeFirstOrThrow();
    assert.equal(row_count, 10, 'the merged file, because nothing was rebuilt');
  });

  it('merges many files into few, which both read', async () => {
    const [a, b] = [await openNode(0), await openNode(1)];
    for (let n = 0; n < 10; n += 1) {
      await upload(stores[0], [n]);
      await a.numbers(ORGANIZATION);
    }
    await a.lake.waitUntilIdle();
    assert.deepEqual(await b.numbers(ORGANIZATION), range(0, 10));
    await b.lake.waitUntilIdle();
    await collectAll(b);
    const files = await stores[0].selectFrom('lake_files').select('name').execute();
    assert.ok(files.length < 8);
    assert.equal((await a.listKeys()).length, files.length);
    assert.deepEqual(await a.numbers(ORGANIZATION), range(0, 10));
  });

  it('downloads files again after the cache was lost, and limits the cache', async () => {
    const [a, b] = [await openNode(0), await openNode(1, { cacheBytes: 1 })];
    for (const n of [0, 1, 2]) {
      await upload(stores[0], [n]);
      assert.deepEqual(await a.numbers(ORGANIZATION), range(0, n + 1));
    }
    await rm(join(a.folder, 'cache'), { recursive: true });
    assert.deepEqual(await a.numbers(ORGANIZATION), [0, 1, 2]);
    // Pinned files exceed the limit of the cache.
    assert.deepEqual(await b.numbers(ORGANIZATION), [0, 1, 2]);
  });

  it('rebuilds missing and damaged files from the records', async () => {
    const a = await openNode(0);
    await upload(stores[0], range(0, 10));
    await a.numbers(ORGANIZATION);
    await upload(stores[0], range(10, 20));
    await a.numbers(ORGANIZATION);
    const [first = '', second = ''] = await a.listKeys();
    await a.bucket.remove(first);
    assert.deepEqual(await (await openNode(1)).numbers(ORGANIZATION), range(0, 20));
    const damaged = (await a.listKeys())[0] ?? second;
    await a.bucket.put(damaged, Readable.from([randomBytes(10)]), 10);
    assert.deepEqual(await (await openNode(1)).numbers(ORGANIZATION), range(0, 20));
    for (const key of await a.listKeys()) await a.bucket.remove(key);
    const c = await openNode(1);
    const results = await Promise.all(
      [c, c, await openNode(0)].map((n) => n.numbers(ORGANIZATION)),
    );
    for (const numbers of results) assert.deepEqual(numbers, range(0, 20));
    const listed = await stores[0].selectFrom('lake_files').select('blob_hash').execute();
    const stored = new Set((await a.listKeys()).map((key) => parseObjectKey(key)?.hash));
    assert.ok(listed.every(({ blob_hash }) => stored.has(blob_hash ?? '')));
  });

  it('fails with Unavailable while the bucket does not respond, and reads what is cached', async () => {
    const [a, b] = [await openNode(0), await openNode(1)];
    await upload(stores[0], range(0, 10));
    await a.numbers(ORGANIZATION);
    await server.stopServer();
    try {
      const message = /object store .*ECONNREFUSED/;
      assert.deepEqual(await a.numbers(ORGANIZATION), range(0, 10));
      await assertRejected(b.numbers(ORGANIZATION), Code.Unavailable, message);
      await upload(stores[0], range(10, 20));
      await assertRejected(a.numbers(ORGANIZATION), Code.Unavailable, message);
    } finally {
      await server.startServer();
    }
    assert.deepEqual(await b.numbers(ORGANIZATION), range(0, 20));
    assert.deepEqual(await a.numbers(ORGANIZATION), range(0, 20));
  });
});
