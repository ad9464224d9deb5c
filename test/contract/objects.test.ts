import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { type Client, Code, createClient } from '@connectrpc/connect';
import { deserialize } from 'bson';
import { DataService } from '../../src/gen/viam/app/data/v1/data_pb';
import { DataSyncService, DataType } from '../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { blobPath } from '../../src/service/blobs/fileBlobStore';
import { objectKey, parseObjectKey } from '../../src/service/blobs/objectBlobStore';
import { type ObjectBucket, parseObjectsUrl } from '../../src/service/objects/objectBucket';
import { openObjectBucket } from '../../src/service/objects/openObjectBucket';
import {
  describeObjectStore,
  objectStoreForTests,
  type TestObjectStore,
} from '../support/objectStore';
import { RunningService } from '../support/runningService';
import { ServiceProgram } from '../support/serviceProgram';
import { assertRejected } from './fleetFixture';
import { newPart } from './kills/faults/newPart';

const TIMEOUT_MS = 300_000;
const LARGE_BYTES = 20 * 1024 * 1024;

const toHash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function uploadReadings(
  { transport }: RunningService,
  partId: string,
  numbers: readonly number[],
): Promise<void> {
  await createClient(DataSyncService, transport).dataCaptureUpload({
    metadata: {
      partId,
      componentType: 'rdk:component:sensor',
      componentName: 'thermometer',
      methodName: 'Readings',
      type: DataType.TABULAR_SENSOR,
    },
    sensorContents: numbers.map((n) => ({ data: { case: 'struct', value: { n } } })),
  });
}

async function queryNumbers({ transport, key }: RunningService): Promise<number[]> {
  const { rawData } = await createClient(DataService, transport).tabularDataBySQL({
    organizationId: key.organizationId,
    sqlQuery: 'select data.n as n from readings order by 1',
  });
  return rawData.map((document) => Number(deserialize(document).n));
}

/** A running service and calls to it. */
class Images {
  private readonly data: Client<typeof DataService>;
  private readonly sync: Client<typeof DataSyncService>;

  constructor(
    readonly service: RunningService,
    private readonly partId: string,
  ) {
    this.data = createClient(DataService, service.transport);
    this.sync = createClient(DataSyncService, service.transport);
  }

  async upload(bytes: Uint8Array): Promise<string> {
    const { binaryDataId } = await this.sync.dataCaptureUpload({
      metadata: { partId: this.partId, componentName: 'cam', type: DataType.BINARY_SENSOR },
      sensorContents: [{ data: { case: 'binary', value: bytes } }],
    });
    return binaryDataId;
  }

  async read(id: string): Promise<Uint8Array | undefined> {
    const { data } = await this.data.binaryDataByIDs({ binaryDataIds: [id], includeBinary: true });
    return data[0]?.binary;
  }

  async delete(id: string): Promise<void> {
    await this.data.deleteBinaryDataByIDs({ binaryDataIds: [id] });
  }

  async count(): Promise<number> {
    return Number((await this.data.binaryDataByFilter({ countOnly: true })).count);
  }

  async fetch(id: string, headers: Record<string, string> = {}): Promise<Response> {
    const { url, ...key } = this.service.key;
    const { apiKeyId: key_id, apiKey } = key as unknown as { apiKeyId: string; apiKey: string };
    return fetch(`${url}/binary-data/${id}`, { headers: { key_id, key: apiKey, ...headers } });
  }
}

describeObjectStore('service serve --objects', function () {
  this.timeout(TIMEOUT_MS);
  let server: TestObjectStore;
  let program: ServiceProgram;
  let url: string;
  let bucket: ObjectBucket;
  let data: string;

  before(async () => {
    server = await objectStoreForTests();
    program = await ServiceProgram.build();
  });
  beforeEach(async () => {
    url = await server.createBucket();
    const location = parseObjectsUrl(url);
    assert.ok(typeof location === 'object');
    bucket = await openObjectBucket(location);
    data = program.path();
  });
  afterEach(async () => {
    bucket.close();
    await program.end();
  });
  after(() => program[Symbol.asyncDispose]());

  const serve = (...options: string[]): Promise<RunningService> =>
    RunningService.of(program.serve('--data', data, ...options));
  const serveObjects = (): Promise<RunningService> => serve('--objects', url);
  const run = (...args: string[]) => program.run(...args).ended;
  const verify = (...args: string[]) => run('verify', '--data', data, ...args);
  const clearCache = (): void => {
    const cache = join(data, 'objects-cache');
    for (const name of readdirSync(cache).filter((folder) => folder !== 'incoming')) {
      rmSync(join(cache, name), { recursive: true });
    }
  };
  const listKeys = async (): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of bucket.list()) keys.push(key);
    return keys;
  };

  it('stores images in the bucket, and reads them after a restart with an empty cache', async () => {
    const [small, large] = [randomBytes(1000), randomBytes(LARGE_BYTES)];
    const service = await serveObjects();
    const partId = await newPart(service);
    const images = new Images(service, partId);
    const [smallId, largeId] = [await images.upload(small), await images.upload(large)];
    assert.ok(small.equals((await images.read(smallId)) ?? Buffer.of()));
    assert.deepEqual(await listKeys(), [small, large].map((b) => objectKey(toHash(b))).sort());
    assert.ok(!existsSync(join(data, 'blobs')));
    await service.kill();
    clearCache();

    const restarted = await serveObjects();
    const again = new Images(restarted, partId);
    assert.ok(small.equals((await again.read(smallId)) ?? Buffer.of()));
    const part = await again.fetch(largeId, { range: 'bytes=9000000-9000009' });
    assert.equal(part.status, 206);
    assert.ok(large.subarray(9_000_000, 9_000_010).equals(Buffer.from(await part.arrayBuffer())));
    assert.ok(large.equals(Buffer.from(await (await again.fetch(largeId)).arrayBuffer())));
    await again.delete(smallId);
    await assertRejected(again.read(smallId), Code.NotFound);
    const { exitCode, stdout } = await verify();
    assert.equal(exitCode, 0);
    assert.match(stdout, /^all 1 content in s3:/);
    await restarted.stop();
  });

  it('rejects uploads while the bucket is unavailable, and reads what is cached', async () => {
    const service = await serveObjects();
    const images = new Images(service, await newPart(service));
    const bytes = randomBytes(1000);
    const id = await images.upload(bytes);
    await server.stopServer();
    try {
      const message = /object store .*ECONNREFUSED.* check that http:\S+ is running and reachable/;
      await assertRejected(images.upload(randomBytes(1000)), Code.Unavailable, message);
      assert.equal(await images.count(), 1);
      assert.ok(bytes.equals((await images.read(id)) ?? Buffer.of()));
      clearCache();
      await assertRejected(images.read(id), Code.Unavailable, message);
      assert.equal((await images.fetch(id)).status, 503);
      assert.equal(readdirSync(join(data, 'objects-cache', 'incoming')).length, 0);
    } finally {
      await server.startServer();
    }
    assert.equal((await listKeys()).length, 1);
    assert.ok(bytes.equals((await images.read(id)) ?? Buffer.of()));
    await images.upload(randomBytes(1000));
    assert.equal((await listKeys()).length, 2);
    await service.stop();
  });

  it('starts while its bucket is unavailable, and reports this', async () => {
    const service = await serveObjects();
    const partId = await newPart(service);
    const bytes = randomBytes(1000);
    const id = await new Images(service, partId).upload(bytes);
    await service.stop();
    await server.stopServer();
    const readState = async ({ key }: RunningService): Promise<unknown> => {
      const response = await fetch(`${key.url}/readyz`);
      return [response.status, ((await response.json()) as { checks: unknown }).checks];
    };
    const checks = { database: 'ok', dataDirectory: 'ok', queryProcesses: 'ok' };
    let restarted: RunningService;
    try {
      restarted = await serveObjects();
      const images = new Images(restarted, partId);
      assert.ok(bytes.equals((await images.read(id)) ?? Buffer.of()));
      await assertRejected(images.upload(randomBytes(1000)), Code.Unavailable, /ECONNREFUSED/);
      assert.deepEqual(await readState(restarted), [200, { ...checks, objectStore: 'degraded' }]);
      const other = await run('serve', '--data', data + '-2', '--objects', url);
      assert.equal(other.exitCode, 1);
      assert.match(other.stderr, /ECONNREFUSED.*is running and reachable/);
    } finally {
      await server.startServer();
    }
    await new Images(restarted, partId).upload(randomBytes(1000));
    await restarted.stop();
    const last = await serveObjects();
    assert.deepEqual(await readState(last), [200, { ...checks, objectStore: 'ok' }]);
    await last.stop();
  });

  it('does not start without the bucket', async () => {
    await (await serveObjects()).stop();
    const { exitCode, stderr } = await run('serve', '--data', data);
    assert.equal(exitCode, 1);
    assert.match(stderr, /contents of this fleet are in the bucket s3:.*--objects/);
    await (await serve('--objects', 'files')).stop();
    await (await serve()).stop();
    const missing = await run('serve', '--data', data, '--objects', url.replace('fleet-', 'none-'));
    assert.equal(missing.exitCode, 1);
    assert.match(missing.stderr, /NoSuchBucket.*check that the bucket "none-/);
  });

  it('is backed up without contents, which the restored service reads from the bucket', async () => {
    const service = await serveObjects();
    const partId = await newPart(service);
    const bytes = randomBytes(1000);
    const id = await new Images(service, partId).upload(bytes);
    const backup = join(dirname(data), 'backup');
    const taken = await run('backup', '--data', data, '--to', backup, '--include-secrets-key');
    assert.equal(taken.exitCode, 0, taken.stderr);
    assert.match(taken.stdout, /contents are in the bucket s3:\S+ and not in the backup/);
    assert.ok(!existsSync(join(backup, 'blobs')));
    await service.stop();

    data = join(dirname(data), 'restored');
    const restored = await run('restore', '--data', data, '--from', backup);
    assert.equal(restored.exitCode, 0, restored.stderr);
    assert.match(restored.stdout, /--objects "s3:/);
    const again = await serveObjects();
    assert.ok(bytes.equals((await new Images(again, partId).read(id)) ?? Buffer.of()));
    await again.stop();
  });

  it('stores files of readings in the bucket, also across a restart, a backup, and a loss', async () => {
    const service = await serveObjects();
    const { organizationId } = service.key;
    const partId = await newPart(service);
    await uploadReadings(service, partId, [1, 2, 3]);
    assert.deepEqual(await queryNumbers(service), [1, 2, 3]);
    const [key = '', ...others] = await listKeys();
    assert.deepEqual(others, []);
    assert.match((await verify()).stdout, /^all 1 content in s3:/);
    const backup = join(dirname(data), 'backup');
    const taken = await run('backup', '--data', data, '--to', backup, '--include-secrets-key');
    assert.equal(taken.exitCode, 0, taken.stderr);
    await service.stop();
    clearCache();
    const restarted = await serveObjects();
    assert.deepEqual(await queryNumbers(restarted), [1, 2, 3]);
    await restarted.stop();

    data = join(dirname(data), 'restored');
    assert.equal((await run('restore', '--data', data, '--from', backup)).exitCode, 0);
    const restored = await serveObjects();
    assert.deepEqual(await queryNumbers(restored), [1, 2, 3]);
    assert.deepEqual(await listKeys(), [key], 'nothing was sealed again');
    await bucket.remove(key);
    const missing = await verify();
    assert.equal(missing.exitCode, 1);
    const hash = parseObjectKey(key)?.hash ?? '';
    assert.equal(
      missing.stdout.trim(),
      `missing ${hash}: of the readings of organization "${organizationId}", which the next query rebuilds from the records`,
    );
    await restored.stop();
    clearCache();
    const rebuilt = await serveObjects();
    assert.deepEqual(await queryNumbers(rebuilt), [1, 2, 3]);
    assert.match((await verify()).stdout, /^all 1 content in s3:/);
    await rebuilt.stop();

    const moved = await serve('--objects', 'files');
    assert.deepEqual(await queryNumbers(moved), [1, 2, 3]);
    assert.equal((await verify()).exitCode, 0);
    await moved.stop();
  });

  it('adopts contents that were copied from files with another program', async () => {
    const service = await serve();
    const partId = await newPart(service);
    const bytes = randomBytes(1000);
    const id = await new Images(service, partId).upload(bytes);
    await service.stop();
    const key = objectKey(toHash(bytes));
    assert.ok(existsSync(join(data, ...key.split('/'))));
    await bucket.put(key, Readable.from([bytes]), bytes.length);
    rmSync(join(data, 'blobs'), { recursive: true });
    const moved = await serveObjects();
    assert.ok(bytes.equals((await new Images(moved, partId).read(id)) ?? Buffer.of()));
    await moved.stop();
  });

  describe('service verify', () => {
    /** Names of all files below the data directory with their sizes. */
    const describeFiles = (): string[] =>
      readdirSync(data, { recursive: true, encoding: 'utf8' })
        .filter((name) => !name.startsWith('service.'))
        .sort();

    const expectProblems = async (
      place: {
        overwrite(hash: string, bytes: Uint8Array): Promise<void>;
        remove(hash: string): Promise<void>;
      },
      ...options: string[]
    ): Promise<void> => {
      const service = await serve(...options);
      const images = new Images(service, await newPart(service));
      const contents = Array.from({ length: 4 }, () => randomBytes(1000));
      const ids: string[] = [];
      for (const bytes of contents) ids.push(await images.upload(bytes));
      const clean = await verify();
      assert.equal(clean.exitCode, 0, clean.stderr);
      const [missing = '', truncated = '', changed = ''] = contents.map(toHash);
      const orphaned = toHash(Buffer.from('orphan'));
      await place.remove(missing);
      await place.overwrite(truncated, Buffer.from('short'));
      await place.overwrite(changed, randomBytes(1000));
      await place.overwrite(orphaned, Buffer.from('orphan'));
      const before = [describeFiles(), await listKeys()];
      const { exitCode, stdout, stderr } = await verify();
      assert.equal(exitCode, 1);
      assert.match(stderr, /1 missing, 2 damaged, and 1 orphaned of 4 contents in/);
      assert.deepEqual(
        stdout.trim().split('\n').sort(),
        [
          `damaged ${changed}: of binary data "${ids[2] ?? ''}": its bytes were changed`,
          `damaged ${truncated}: of binary data "${ids[1] ?? ''}": it has 5 bytes instead of 1000`,
          `missing ${missing}: of binary data "${ids[0] ?? ''}"`,
          `orphaned ${orphaned}: 6 bytes without a record`,
        ].sort(),
      );
      const sizes = await verify('--sizes');
      assert.equal(sizes.exitCode, 1);
      assert.match(sizes.stderr, /1 missing, 1 damaged, and 1 orphaned/);
      assert.deepEqual([describeFiles(), await listKeys()], before);
      await service.stop();
    };

    it('finds missing, damaged, and orphaned files', async () => {
      const toPath = (hash: string): string => join(data, 'blobs', blobPath(hash));
      await expectProblems({
        overwrite: async (hash, bytes) => {
          await mkdir(dirname(toPath(hash)), { recursive: true });
          await writeFile(toPath(hash), bytes);
        },
        remove: (hash) => rm(toPath(hash)),
      });
    });

    it('finds missing, damaged, and orphaned objects', async () => {
      await expectProblems(
        {
          overwrite: (hash, bytes) =>
            bucket.put(objectKey(hash), Readable.from([bytes]), bytes.length),
          remove: (hash) => bucket.remove(objectKey(hash)),
        },
        '--objects',
        url,
      );
    });

    it('reports a missing fleet', async () => {
      renameSync(dirname(data), `${dirname(data)}-moved`);
      const { exitCode, stderr } = await verify();
      assert.equal(exitCode, 1);
      assert.match(stderr, /doesn't contain fleet.db/);
    });
  });
});
