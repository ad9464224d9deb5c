import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Code, ConnectError } from '@connectrpc/connect';
import { DamagedBlobError } from '../../src/service/blobs/blobChecks';
import type { BlobKey, BlobStore, IncomingBlob } from '../../src/service/blobs/blobStore';
import { blobPath, listBlobFiles } from '../../src/service/blobs/fileBlobStore';
import { objectKey, openObjectBlobStore } from '../../src/service/blobs/objectBlobStore';
import { warnAboutMissingContents } from '../../src/service/blobs/damageReports';
import type { ObjectsLocation } from '../../src/service/objects/objectBucket';
import { openObjectBucket } from '../../src/service/objects/openObjectBucket';
import { announceBlob } from '../../src/service/store/data/blobReferences';
import { openSqliteStore } from '../../src/service/store/openStore';
import { insertOrganization } from '../../src/service/store/organizations';
import {
  type BlobFixture,
  BucketFixture,
  openFileFixture,
  readAll,
  storeBlob,
  toChunks,
} from '../support/blobFixtures';
import { insertItem } from '../support/insertItem';
import {
  describeObjectStore,
  objectStoreForTests,
  type TestObjectStore,
} from '../support/objectStore';
import { silentLogger } from '../support/silentLogger';
import { CuttingProxy } from '../support/cuttingProxy';
import { waitUntil } from '../support/waitUntil';

const MEBIBYTE = 1024 * 1024;
const START_LIMIT_MS = 300_000;
const HOUR_MS = 3_600_000;

/** The contract of `BlobStore`. */
function testBlobStore(open: () => Promise<BlobFixture>): void {
  let fixture: BlobFixture;
  beforeEach(async () => {
    fixture = await open();
  });
  afterEach(() => fixture.close());

  it('names blobs after the SHA-256 of their bytes and stores equal blobs once', async () => {
    const bytes = randomBytes(10_000);
    const hash = createHash('sha256').update(bytes).digest('hex');
    assert.deepEqual(await storeBlob(fixture.blobs, bytes, 7), { hash, size: bytes.length });
    assert.deepEqual(await storeBlob(fixture.blobs, bytes), { hash, size: bytes.length });
    assert.equal(await fixture.countStored(), 1);
    assert.equal(await fixture.blobs.size(hash), bytes.length);
  });

  it('returns stored blobs after the store is reopened, including empty and large blobs', async () => {
    for (const size of [0, 1, 2 * MEBIBYTE, 20 * MEBIBYTE + 1]) {
      const bytes = randomBytes(size);
      const blob = await storeBlob(fixture.blobs, bytes);
      await fixture.reopen();
      assert.ok(bytes.equals(await readAll(fixture.blobs, blob)), String(size));
      assert.ok(bytes.equals((await fixture.blobs.read(blob)) ?? Buffer.of(1)), String(size));
    }
  });

  it('reads ranges with inclusive ends', async () => {
    const blob = await storeBlob(fixture.blobs, Buffer.from('0123456789'));
    await fixture.reopen();
    for (const [start, end, text] of [
      [2, 4, '234'],
      [9, 9, '9'],
      [0, 9, '0123456789'],
    ] as const) {
      assert.equal(String(await readAll(fixture.blobs, blob, { start, end })), text);
    }
  });

  it('stores nothing if a blob is discarded or its stream fails', async () => {
    {
      await using incoming = await fixture.blobs.receive(toChunks(randomBytes(100)));
      assert.equal(incoming.size, 100);
    }
    async function* broken(): AsyncIterable<Uint8Array> {
      yield await Promise.resolve(randomBytes(10));
      throw new Error('cut');
    }
    await assert.rejects(fixture.blobs.receive(broken()), /cut/);
    assert.equal(await fixture.countStored(), 0);
  });

  it('removes blobs, and accepts repeated removals', async () => {
    const blob = await storeBlob(fixture.blobs, randomBytes(10));
    await fixture.blobs.remove(blob.hash);
    await fixture.blobs.remove(blob.hash);
    assert.equal(await fixture.blobs.open(blob), undefined);
    assert.equal(await fixture.blobs.read(blob), undefined);
    assert.equal(await fixture.blobs.size(blob.hash), undefined);
    assert.equal(await fixture.countStored(), 0);
  });

  it('completes streams of blobs that are removed after they were opened', async () => {
    const bytes = randomBytes(3 * MEBIBYTE);
    const blob = await storeBlob(fixture.blobs, bytes);
    await fixture.reopen();
    const range = { start: 7, end: bytes.length - 8 };
    const whole = (await fixture.blobs.open(blob)) ?? assert.fail();
    const part = (await fixture.blobs.open(blob, range)) ?? assert.fail();
    await fixture.blobs.remove(blob.hash);
    assert.equal(await fixture.countStored(), 0);
    assert.ok(bytes.equals(await buffer(whole)));
    assert.ok(bytes.subarray(range.start, range.end + 1).equals(await buffer(part)));
  });

  it('rejects damaged blobs, also in ranges, until the same bytes are stored again', async () => {
    const bytes = randomBytes(3 * MEBIBYTE);
    const blob = await storeBlob(fixture.blobs, bytes);
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(7) ^ 1, 7);
    await fixture.overwrite(blob.hash, changed);
    const isDamaged = (error: unknown): boolean => error instanceof DamagedBlobError;
    await assert.rejects(readAll(fixture.blobs, blob, { start: 100, end: 199 }), isDamaged);
    await assert.rejects(readAll(fixture.blobs, blob), isDamaged);
    await fixture.overwrite(blob.hash, bytes.subarray(0, 4));
    await assert.rejects(fixture.blobs.open(blob), isDamaged);
    await storeBlob(fixture.blobs, bytes);
    await fixture.reopen();
    assert.ok(bytes.equals(await readAll(fixture.blobs, blob)));
  });
}

describe('blobs in files', () => {
  testBlobStore(openFileFixture);
});

describeObjectStore('blobs in a bucket', function () {
  this.timeout(START_LIMIT_MS);
  const opened: BucketFixture[] = [];
  let server: TestObjectStore;

  before(async () => {
    server = await objectStoreForTests();
  });
  afterEach(async () => {
    for (const fixture of opened.splice(0)) await fixture.close();
  });
  const open = async (cacheBytes?: number): Promise<BucketFixture> => {
    const fixture = await BucketFixture.open(server, cacheBytes);
    opened.push(fixture);
    return fixture;
  };

  const hasCode = (code: Code, message: RegExp) => (error: unknown) => {
    assert.ok(error instanceof ConnectError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  };
  const isUnavailable = (message: RegExp) => hasCode(Code.Unavailable, message);
  const isRejected = (message: RegExp) => hasCode(Code.FailedPrecondition, message);

  describe('like any blobs', () => {
    testBlobStore(() => BucketFixture.open(server));
  });

  it('downloads a damaged local copy again', async () => {
    const fixture = await open();
    const bytes = randomBytes(2 * MEBIBYTE);
    const blob = await storeBlob(fixture.blobs, bytes);
    await writeFile(join(fixture.folder, blobPath(blob.hash)), randomBytes(2 * MEBIBYTE));
    await assert.rejects(readAll(fixture.blobs, blob), DamagedBlobError);
    assert.ok(bytes.equals(await readAll(fixture.blobs, blob)));
    await writeFile(join(fixture.folder, blobPath(blob.hash)), 'short');
    assert.ok(bytes.equals(await readAll(fixture.blobs, blob)));
  });

  it('downloads a blob again if its bytes were corrupted in transit', async () => {
    const fixture = await open();
    const blob = await storeBlob(fixture.blobs, randomBytes(1000));
    await fixture.reopen();
    const { bucket } = fixture;
    const get = bucket.get.bind(bucket);
    let downloads = 0;
    bucket.get = async (key, range) => {
      downloads += 1;
      const object = await get(key, range);
      if (object === undefined || downloads > 1) return object;
      object.body.destroy();
      return { ...object, body: Readable.from([randomBytes(1000)]) };
    };
    assert.equal((await readAll(fixture.blobs, blob)).length, 1000);
    assert.equal(downloads, 2);
  });

  it('continues without local copies if their folder was deleted', async () => {
    const fixture = await open();
    const bytes = randomBytes(1000);
    const blob = await storeBlob(fixture.blobs, bytes);
    await rm(fixture.folder, { recursive: true });
    assert.ok(bytes.equals(await readAll(fixture.blobs, blob)));
    await rm(fixture.folder, { recursive: true });
    await storeBlob(fixture.blobs, randomBytes(1000));
    assert.equal(await fixture.countStored(), 2);
  });

  it('does not treat a 404 response of another server as a missing object', async () => {
    const fixture = await open();
    const blob = await storeBlob(fixture.blobs, randomBytes(1000));
    const other = createServer((_request, response) => {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<html>Not found</html>');
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const endpoint = `http://127.0.0.1:${String(port)}`;
    const { S3Bucket } = await import('../../src/service/objects/s3Bucket');
    const location = { ...fixture.location, endpoint };
    const bucket = new S3Bucket(location);
    const cacheDirectory = join(fixture.folder, 'other');
    const blobs = await openObjectBlobStore({ bucket, cacheDirectory, cacheBytes: MEBIBYTE });
    const check = /object store .*check that http:\S+ is running/;
    await assert.rejects(blobs.open(blob), isUnavailable(check));
    await assert.rejects(blobs.size(blob.hash), isUnavailable(check));
    await assert.rejects(blobs.remove(blob.hash), isUnavailable(check));
    await assert.rejects(bucket.remove(objectKey(blob.hash)), isUnavailable(check));
    await using records = await openSqliteStore(undefined);
    await insertOrganization(records, { id: 'acme', name: 'Acme', createdAt: 1 });
    await announceBlob(records, blob);
    await insertItem(records, 'one', blob);
    await warnAboutMissingContents(records, blobs, 'objects', silentLogger);
    await blobs.close();
    other.close();
  });

  it('is asked only for some of many objects when a service starts', async () => {
    await using records = await openSqliteStore(undefined);
    await insertOrganization(records, { id: 'acme', name: 'Acme', createdAt: 1 });
    for (let n = 0; n < 150; n += 1) {
      const blob = { hash: randomBytes(32).toString('hex'), size: 1 };
      await announceBlob(records, blob);
      await insertItem(records, String(n), blob);
    }
    let calls = 0;
    const counted = {
      size: () => {
        calls += 1;
        return Promise.resolve(1);
      },
    } as unknown as BlobStore;
    await warnAboutMissingContents(records, counted, 'files', silentLogger);
    assert.equal(calls, 150);
    calls = 0;
    await warnAboutMissingContents(records, counted, 'objects', silentLogger);
    assert.ok(calls <= 100 && calls > 10, String(calls));
  });

  it('limits the local copies, evicts the least recently used copy, and retains those in use', async () => {
    const fixture = await open(4 * MEBIBYTE);
    const contents = Array.from({ length: 5 }, () => randomBytes(MEBIBYTE));
    const blobs: BlobKey[] = [];
    for (const bytes of contents.slice(0, 4)) blobs.push(await storeBlob(fixture.blobs, bytes));
    const [first, second, third] = blobs;
    assert.ok(first && second && third);
    const inUse = await fixture.blobs.open(second);
    assert.ok(inUse);
    await readAll(fixture.blobs, first);
    await storeBlob(fixture.blobs, contents[4] ?? Buffer.of());
    assert.equal(await fixture.countCached(), 4);
    const cached = new Set<string>();
    for await (const { hash } of listBlobFiles(fixture.folder)) cached.add(hash);
    assert.ok(cached.has(first.hash) && cached.has(second.hash) && !cached.has(third.hash));
    assert.ok(contents[1]?.equals(await buffer(inUse)));
    assert.ok(contents[2]?.equals(await readAll(fixture.blobs, third)));
    assert.equal(await fixture.countStored(), 5);
    await fixture.reopen(fixture.folder);
    assert.equal(await fixture.countCached(), 4);
  });

  it('streams blobs that are too large for the local cache', async () => {
    const fixture = await open(4 * MEBIBYTE);
    const bytes = randomBytes(12 * MEBIBYTE);
    const blob = await storeBlob(fixture.blobs, bytes);
    await fixture.reopen();
    assert.ok(bytes.equals(await readAll(fixture.blobs, blob)));
    const range = { start: 9 * MEBIBYTE, end: 9 * MEBIBYTE + 4 };
    assert.ok(
      bytes.subarray(range.start, range.end + 1).equals(await readAll(fixture.blobs, blob, range)),
    );
    assert.equal(await fixture.countCached(), 0);
    const changed = Buffer.concat([Buffer.of(0, 0), bytes.subarray(2)]);
    await fixture.overwrite(blob.hash, changed);
    await assert.rejects(readAll(fixture.blobs, blob), DamagedBlobError);
  });

  it('leaves nothing of an aborted upload, and deletes the parts of a killed upload', async () => {
    const fixture = await open();
    const { url } = fixture.location;
    const abort = new AbortController();
    async function* parts(): AsyncIterable<Uint8Array> {
      for (let sent = 0; sent < 3; sent += 1) {
        yield await Promise.resolve(randomBytes(9 * MEBIBYTE));
      }
      await waitUntil(async () => (await server.countUnfinished(url)) > 0);
      abort.abort(new Error('the caller disconnected'));
      yield randomBytes(9 * MEBIBYTE);
    }
    const key = objectKey('0'.repeat(64));
    const size = 36 * MEBIBYTE;
    await assert.rejects(
      fixture.bucket.put(key, Readable.from(parts()), size, abort.signal),
      /the caller disconnected/,
    );
    await using incoming = await fixture.blobs.receive(toChunks(randomBytes(10)));
    await assert.rejects(incoming.prepare(0, abort.signal), /the caller disconnected/);
    await server.beginUpload(url, `team/a/${key}`);
    await server.beginUpload(url, `team/b/${key}`);
    await fixture.blobs.removeUnfinished(new Date(Date.now() - HOUR_MS));
    assert.ok((await server.countUnfinished(url)) >= 2, 'uploads that might be in progress');
    await fixture.blobs.removeUnfinished(new Date(Date.now() + HOUR_MS));
    assert.equal(await server.countUnfinished(url), 1, 'the upload with another prefix');
    assert.equal(await fixture.countStored(), 0);
  });

  it('retries requests whose connection was cut, and fails if downloads are cut', async () => {
    const { location } = await open();
    const proxy = await CuttingProxy.to(location.endpoint ?? '');
    const fixture = await BucketFixture.openAt({ ...location, endpoint: proxy.url }, 4 * MEBIBYTE);
    opened.push(fixture);
    proxy.cutAfter(10 * MEBIBYTE);
    const bytes = randomBytes(20 * MEBIBYTE);
    const blob = await storeBlob(fixture.blobs, bytes);
    await fixture.reopen();
    assert.ok(bytes.equals(await readAll(fixture.blobs, blob)));
    const stream = await fixture.blobs.open(blob);
    assert.ok(stream);
    let received = 0;
    const readUntilCut = async (): Promise<void> => {
      for await (const chunk of stream) {
        if (received === 0) await proxy[Symbol.asyncDispose]();
        received += (chunk as Uint8Array).length;
      }
    };
    await assert.rejects(readUntilCut(), isUnavailable(/object store .* failed/));
    assert.ok(received < bytes.length, String(received));
  });

  it('reports what to check if the bucket or the credentials are wrong', async () => {
    const fixture = await open();
    const missing = { ...fixture.location, bucket: 'no-such-bucket' };
    const check = async (location: ObjectsLocation): Promise<void> => {
      const bucket = await openObjectBucket(location);
      await bucket.check().finally(() => {
        bucket.close();
      });
    };
    await assert.rejects(check(missing), isRejected(/bucket "no-such-bucket" exists/));
    const { AWS_SECRET_ACCESS_KEY: secret } = process.env;
    process.env.AWS_SECRET_ACCESS_KEY = 'wrong';
    try {
      await assert.rejects(
        check(fixture.location),
        isRejected(/SignatureDoesNotMatch.*check the credentials/),
      );
    } finally {
      process.env.AWS_SECRET_ACCESS_KEY = secret;
    }
  });

  it('rejects uploads during an outage, and still reads local copies', async () => {
    const fixture = await open();
    const [cached, other] = [randomBytes(1000), randomBytes(1000)];
    const [cachedBlob, otherBlob] = [
      await storeBlob(fixture.blobs, cached),
      await storeBlob(fixture.blobs, other),
    ];
    await fixture.reopen();
    await readAll(fixture.blobs, cachedBlob);
    await server.stopServer();
    const check = /object store .*ECONNREFUSED.* check that http:\S+ is running/;
    let incoming: IncomingBlob | undefined;
    try {
      assert.ok(cached.equals(await readAll(fixture.blobs, cachedBlob)));
      await assert.rejects(fixture.blobs.open(otherBlob), isUnavailable(check));
      incoming = await fixture.blobs.receive(toChunks(randomBytes(9 * MEBIBYTE)));
      await assert.rejects(incoming.prepare(0), isUnavailable(check));
    } finally {
      await incoming?.[Symbol.asyncDispose]();
      await server.startServer();
    }
    assert.equal(await fixture.countCached(), 1);
    assert.equal(await fixture.countStored(), 2);
    assert.ok(other.equals(await readAll(fixture.blobs, otherBlob)));
  });
});
