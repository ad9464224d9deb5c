import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Code, ConnectError } from '@connectrpc/connect';
import { BlobCollector } from '../../src/service/blobs/blobCollector';
import type { BlobStore } from '../../src/service/blobs/blobStore';
import { objectKey } from '../../src/service/blobs/objectBlobStore';
import { storeContent } from '../../src/service/blobs/storeContent';
import { announceBlob } from '../../src/service/store/data/blobReferences';
import { openPostgresStore, openSqliteStore } from '../../src/service/store/openStore';
import { insertOrganization } from '../../src/service/store/organizations';
import type { Store } from '../../src/service/store/store';
import { BucketFixture, readAll, storeBlob, toChunks } from '../support/blobFixtures';
import { insertItem } from '../support/insertItem';
import {
  describeObjectStore,
  objectStoreForTests,
  type TestObjectStore,
} from '../support/objectStore';
import { postgresForTests } from '../support/postgres';
import { seededRandom } from '../support/seededRandom';
import { silentLogger } from '../support/silentLogger';

const START_LIMIT_MS = 300_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describeObjectStore('BlobCollector of a bucket', function () {
  this.timeout(START_LIMIT_MS);
  let server: TestObjectStore;
  let fixture: BucketFixture;

  before(async () => {
    server = await objectStoreForTests();
  });
  beforeEach(async () => {
    fixture = await BucketFixture.open(server);
  });
  afterEach(() => fixture.close());

  /** Records, a collector with its own clock, and uploads of items. */
  const openRecords = async (blobs: BlobStore, graceMs = HOUR_MS) => {
    const records = await openSqliteStore(undefined);
    await insertOrganization(records, { id: 'acme', name: 'Acme', createdAt: 1 });
    const clock = { now: 0 };
    const delay = { graceMs, now: () => clock.now, logger: silentLogger };
    const collector = new BlobCollector(records, blobs, true, delay);
    const { signal } = new AbortController();
    return {
      records,
      collector,
      clock,
      upload: (id: string, bytes: Uint8Array, from = blobs) =>
        storeContent(
          { store: records, blobs: from, collector },
          toChunks(bytes),
          signal,
          (access, stored) => insertItem(access, id, stored),
        ),
      deleteItem: async (id: string) => {
        await records.deleteFrom('binary_data').where('id', '=', id).execute();
      },
      async [Symbol.asyncDispose]() {
        await collector.close();
        await records.destroy();
      },
    };
  };

  it('uploads again if another service deleted the object before the record was locked', async () => {
    await using service = await openRecords(fixture.blobs, 0);
    const bytes = randomBytes(1000);
    const generations: number[] = [];
    const collected = {
      async receive(chunks: AsyncIterable<Uint8Array>) {
        const incoming = await fixture.blobs.receive(chunks);
        const prepare = async (generation: number): Promise<void> => {
          await incoming.prepare(generation);
          generations.push(generation);
          if (generation > 0) return;
          await service.collector.collectWaiting();
          await service.collector.collectWaiting();
          assert.equal(await fixture.countStored(), 0);
        };
        return { ...incoming, prepare };
      },
    } as BlobStore;
    await service.upload('one', bytes, collected);
    assert.deepEqual(generations, [0, 1]);
    await fixture.reopen();
    const hash = createHash('sha256').update(bytes).digest('hex');
    assert.ok(bytes.equals(await readAll(fixture.blobs, { hash, size: bytes.length })));
    assert.equal(await fixture.blobs.size(hash), bytes.length);
  });

  it('deletes the other contents if one cannot be deleted', async () => {
    const { bucket } = fixture;
    const remove = bucket.remove.bind(bucket);
    await using service = await openRecords(fixture.blobs);
    const { collector, clock } = service;
    for (const id of ['one', 'two', 'three']) {
      await service.upload(id, randomBytes(1000));
      await service.deleteItem(id);
    }
    await collector.collectWaiting();
    clock.now += HOUR_MS;
    let locked: string | undefined;
    bucket.remove = (key) => {
      locked ??= key;
      if (key !== locked) return remove(key);
      return Promise.reject(new ConnectError('the object is locked', Code.Unavailable));
    };
    await assert.rejects(collector.collectWaiting(), /the object is locked/);
    assert.equal(await fixture.countStored(), 1);
    bucket.remove = remove;
    await collector.collectWaiting();
    assert.equal(await fixture.countStored(), 0);
  });

  it('preserves an upload even if the server executes an earlier deletion after it', async () => {
    const lateDeletions: (() => Promise<void>)[] = [];
    const { bucket } = fixture;
    const remove = bucket.remove.bind(bucket);
    bucket.remove = (key) => {
      lateDeletions.push(() => remove(key));
      return Promise.reject(new ConnectError('no response', Code.Unavailable));
    };
    await using service = await openRecords(fixture.blobs);
    const { collector, clock } = service;
    const bytes = randomBytes(1000);
    await service.upload('one', bytes);
    await service.deleteItem('one');
    await collector.collectWaiting();
    clock.now += HOUR_MS;
    await assert.rejects(collector.collectWaiting(), /no response/);
    await service.upload('two', bytes);
    assert.equal(lateDeletions.length, 1);
    for (const execute of lateDeletions) await execute();
    await fixture.reopen();
    const hash = createHash('sha256').update(bytes).digest('hex');
    assert.ok(bytes.equals(await readAll(fixture.blobs, { hash, size: bytes.length })));
  });

  it('calls the bucket only outside of transactions so that an outage does not lock records', async () => {
    await using service = await openRecords(fixture.blobs, 0);
    const { records, collector } = service;
    const { bucket } = fixture;
    let calls = 0;
    // A statement outside of the transaction would wait for a transaction of SQLite forever.
    const requireUnlocked = async (): Promise<void> => {
      calls += 1;
      await records.selectFrom('blobs').select('hash').execute();
    };
    const { put, remove, size } = {
      put: bucket.put.bind(bucket),
      remove: bucket.remove.bind(bucket),
      size: bucket.size.bind(bucket),
    };
    bucket.put = (...args) => requireUnlocked().then(() => put(...args));
    bucket.remove = (...args) => requireUnlocked().then(() => remove(...args));
    bucket.size = (...args) => requireUnlocked().then(() => size(...args));
    await service.upload('one', randomBytes(1000));
    await service.deleteItem('one');
    await collector.collectWaiting();
    await collector.collectWaiting();
    assert.equal(calls, 2);
    assert.equal(await fixture.countStored(), 0);
  });

  it('deletes unreferenced objects only after the grace period, also across restarts', async () => {
    await using service = await openRecords(fixture.blobs);
    const { records, clock, collector } = service;
    const blob = await storeBlob(fixture.blobs, randomBytes(10));
    await announceBlob(records, blob);
    await collector.collect([blob.hash]);
    await collector.collectAll();
    await collector.collectWaiting();
    clock.now = HOUR_MS - 1;
    await collector.collectWaiting();
    assert.equal(await fixture.countStored(), 1);
    clock.now = HOUR_MS;
    const delay = { graceMs: HOUR_MS, now: () => clock.now, logger: silentLogger };
    const restarted = new BlobCollector(records, fixture.blobs, true, delay);
    await server.stopServer();
    await assert.rejects(restarted.collectWaiting(), /ECONNREFUSED/);
    await server.startServer();
    assert.equal(await fixture.countStored(), 1);
    await restarted.collectWaiting();
    assert.equal(await fixture.countStored(), 0);
    clock.now += DAY_MS - 1;
    await restarted.collectWaiting();
    const rows = await records.selectFrom('blobs').select('hash').execute();
    assert.equal(rows.length, 1, 'the record with the generation of the next upload');
    // The object of an upload whose request the server executed late.
    await fixture.bucket.put(objectKey(blob.hash), Readable.from([randomBytes(10)]), 10);
    clock.now += 1;
    await restarted.collectWaiting();
    assert.equal(await fixture.countStored(), 0);
    assert.deepEqual(await records.selectFrom('blobs').selectAll().execute(), []);
  });

  it('loses nothing while services upload and delete the same contents at the same time', async () => {
    const postgres = await postgresForTests();
    const databaseUrl = await postgres.url();
    const random = seededRandom(5);
    const contents = Array.from({ length: 12 }, () => randomBytes(1000));
    const nodes: { store: Store; blobs: BlobStore; collector: BlobCollector }[] = [];
    let now = 0;
    const delay = { graceMs: 0, now: () => now, logger: silentLogger };
    for (let n = 0; n < 2; n += 1) {
      await fixture.reopen();
      const records = await openPostgresStore(databaseUrl, silentLogger);
      const { blobs } = fixture;
      const collector = new BlobCollector(records, blobs, true, delay);
      nodes.push({ store: records, blobs, collector });
    }
    const [{ store: records } = assert.fail()] = nodes;
    await insertOrganization(records, { id: 'acme', name: 'Acme', createdAt: 1 });
    const { signal } = new AbortController();
    /** Delays the transaction after an upload, so that collectors run in between. */
    const delayed = (blobs: BlobStore): BlobStore =>
      ({
        async receive(chunks) {
          const incoming = await blobs.receive(chunks);
          const prepare = async (generation: number): Promise<void> => {
            await incoming.prepare(generation);
            await sleep(random() * 30);
          };
          return { ...incoming, prepare };
        },
      }) as BlobStore;
    let isCollecting = true;
    const collecting = nodes.map(async ({ collector }) => {
      while (isCollecting) await collector.collectWaiting();
    });
    for (const [n, bytes] of contents.entries()) {
      await Promise.all(
        nodes.map(async ({ blobs, ...node }, index) => {
          const id = `${String(n)}-${String(index)}`;
          const stores = { ...node, blobs: delayed(blobs) };
          await storeContent(stores, toChunks(bytes), signal, (access, stored) =>
            insertItem(access, id, stored),
          );
          if (index === n % 3) {
            await node.store.deleteFrom('binary_data').where('id', '=', id).execute();
          }
        }),
      );
    }
    isCollecting = false;
    await Promise.all(collecting);
    await fixture.reopen();
    const items = await records.selectFrom('binary_data').select('blob_hash').execute();
    assert.equal(items.length, 16);
    for (const { blob_hash: hash } of items) await readAll(fixture.blobs, { hash, size: 1000 });
    await records.deleteFrom('binary_data').execute();
    await nodes[1]?.collector.collectWaiting();
    await nodes[1]?.collector.collectWaiting();
    // A server that executes conflicting requests late can have objects until the tombstones end.
    now += DAY_MS;
    await nodes[1]?.collector.collectWaiting();
    for await (const { key } of fixture.bucket.list()) assert.fail(`${key} was not deleted`);
    assert.deepEqual(await records.selectFrom('blobs').selectAll().execute(), []);
    for (const node of nodes) {
      await node.store.destroy();
      await node.blobs.close();
    }
    await postgres.stop();
  });
});
