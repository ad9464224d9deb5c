import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import * as http from 'node:http';
import * as https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createClient } from '@connectrpc/connect';
import { ContentReader } from '../../src/core/api/contentReader';
import type { ContentStream } from '../../src/core/api/contentStream';
import { wholeContent } from '../../src/core/api/contentStream';
import { FleetError } from '../../src/core/api/errors';
import { ItemContents } from '../../src/core/data/contents/itemContents';
import { Downloads } from '../../src/core/data/download/downloads';
import type { BinaryItem } from '../../src/core/model/binaryItem';
import { organizationId } from '../../src/core/model/ids';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { objectKey } from '../../src/service/blobs/objectBlobStore';
import { type ObjectBucket, parseObjectsUrl } from '../../src/service/objects/objectBucket';
import { openObjectBucket } from '../../src/service/objects/openObjectBucket';
import { fetchArchive } from '../../src/host/features/registry/fetchArchive';
import { NodeDownloadFolder } from '../../src/host/platform/files/downloadFolder';
import { CapturingPart } from '../support/capturingPart';
import { type HttpFleet, openHttpFleet } from '../support/httpFleet';
import {
  describeObjectStore,
  objectStoreForTests,
  type TestObjectStore,
} from '../support/objectStore';
import { RecordingLogger } from '../support/recordingLogger';
import { RunningService } from '../support/runningService';
import { signIn } from '../support/serviceClients';
import { ServiceProgram } from '../support/serviceProgram';
import { waitUntil } from '../support/waitUntil';
import { uploadModule } from './packageFixture';

const TIMEOUT_MS = 300_000;
const MEBIBYTE = 1024 * 1024;
const LARGE_BYTES = 8 * MEBIBYTE;
const MS_PER_MINUTE = 60_000;
const toHash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const ofKind = (kind: string) => (error: unknown) =>
  error instanceof FleetError && error.kind === kind;

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Sends a request without following redirects. */
async function send(
  url: string,
  headers: Record<string, string> = {},
  options: { method?: string; ca?: string } = {},
): Promise<Answer> {
  const { get } = url.startsWith('https:') ? https : http;
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    get(url, { agent: false, headers, ...options }, resolve).once('error', reject);
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    body: await buffer(response),
  };
}

async function openBucket(url: string, publicEndpoint?: string): Promise<ObjectBucket> {
  const location = parseObjectsUrl(url);
  assert.ok(typeof location === 'object');
  return openObjectBucket(location, { publicEndpoint });
}

async function readAll({ chunks }: ContentStream): Promise<Buffer> {
  const received: Uint8Array[] = [];
  for await (const chunk of chunks) received.push(chunk);
  return Buffer.concat(received);
}

describeObjectStore('downloads from a bucket', function () {
  this.timeout(TIMEOUT_MS);
  const logger = new RecordingLogger();
  let server: TestObjectStore;
  let bucket: ObjectBucket;
  let cache: string;
  let fleet: HttpFleet;
  let part: CapturingPart;
  let authorization: string;

  before(async () => {
    server = await objectStoreForTests();
  });
  beforeEach(async () => {
    bucket = await openBucket(await server.createBucket(), server.secureEndpoint);
    cache = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
    logger.lines.length = 0;
    fleet = await openHttpFleet(() => false, logger, logger, {
      objects: { bucket, cacheDirectory: cache, cacheBytes: 1024 * MEBIBYTE },
      authorities: [server.authority],
    });
    const { id: apiKeyId, secret: apiKey } = fleet.key;
    authorization = `Bearer ${await signIn({ url: fleet.url, apiKeyId, apiKey })}`;
    part = await CapturingPart.create(fleet, fleet.session.stores);
  });
  afterEach(async () => {
    await fleet.close();
    await rm(cache, { recursive: true, force: true });
  });

  const capture = async (bytes: Uint8Array, fileExtension = '.jpg'): Promise<BinaryItem> => {
    const id = await part.capture({ bytes, fileName: 'capture', fileExtension });
    const [item] = await fleet.session.stores.binaryData.get([id]);
    return item ?? assert.fail('the item was captured');
  };
  const request = (
    { uri }: { uri: string },
    headers: Record<string, string> = {},
    method = 'GET',
  ): Promise<Answer> => send(uri, { authorization, ...headers }, { method });
  const download = (url: string, headers: Record<string, string> = {}): Promise<Answer> =>
    send(url, headers, { ca: server.authority });
  const redirect = async (item: BinaryItem): Promise<string> => {
    const { status, headers } = await request(item);
    assert.equal(status, 307);
    return headers.location ?? '';
  };
  const clearCache = async (): Promise<void> => {
    for (const name of await readdir(cache)) {
      if (name !== 'incoming') await rm(join(cache, name), { recursive: true });
    }
  };

  it('redirect to a presigned URL that nothing caches and that returns the bytes', async () => {
    const bytes = randomBytes(LARGE_BYTES);
    const { status, headers, body } = await request(await capture(bytes));
    assert.deepEqual([status, body.length], [307, 0]);
    assert.equal(headers['cache-control'], 'private, no-store');
    assert.equal(headers['fleetwright-content-sha256'], toHash(bytes));
    const url = new URL(headers.location ?? '');
    assert.equal(url.origin, server.secureEndpoint);
    assert.equal(url.searchParams.get('X-Amz-Expires'), '300');
    const whole = await download(url.href);
    assert.equal(whole.status, 200);
    assert.ok(bytes.equals(whole.body));
    assert.equal(whole.headers['content-type'], 'image/jpeg');
    assert.match(whole.headers['content-disposition'] ?? '', /^attachment; filename\*=UTF-8''\S+/);
    assert.equal(whole.headers['cache-control'], 'private, no-cache');
    const range = await download(url.href, { range: 'bytes=8000000-8000009' });
    assert.equal(range.status, 206);
    assert.ok(bytes.subarray(8_000_000, 8_000_010).equals(range.body));
  });

  it('do not let a browser render a page from the origin of the bucket', async () => {
    const page = Buffer.from('<script>alert(1)</script>'.padEnd(LARGE_BYTES));
    for (const fileExtension of ['.html', '.svg']) {
      const { headers } = await download(await redirect(await capture(page, fileExtension)));
      assert.equal(headers['content-type'], 'application/octet-stream', fileExtension);
      assert.match(headers['content-disposition'] ?? '', /^attachment;/);
    }
  });

  it('are sent by the service to clients that cannot follow a redirect safely', async () => {
    const bytes = randomBytes(LARGE_BYTES);
    const item = await capture(bytes);
    const etag = `"${toHash(bytes)}"`;
    const key = { key_id: fleet.key.id, key: fleet.key.secret };
    const keyOnly = await send(item.uri, key);
    assert.ok(keyOnly.status === 200 && bytes.equals(keyOnly.body));
    for (const headers of [
      key,
      { 'fleetwright-redirect': 'no' },
      { 'if-range': etag, range: 'bytes=0-9' },
    ]) {
      const { status, body } = await request(item, headers);
      assert.equal(status, 'range' in headers ? 206 : 200);
      assert.ok(bytes.subarray(0, body.length).equals(body));
    }
    const head = await request(item, {}, 'HEAD');
    assert.deepEqual([head.status, head.headers.etag], [200, etag]);
    assert.equal(head.headers['content-length'], String(LARGE_BYTES));
  });

  it('are sent by the service if they are small', async () => {
    const { status, body } = await request(await capture(randomBytes(LARGE_BYTES - 1)));
    assert.deepEqual([status, body.length], [200, LARGE_BYTES - 1]);
  });

  it('are not signed for callers without permission', async () => {
    const item = await capture(randomBytes(LARGE_BYTES));
    for (const headers of [{}, { authorization: 'Bearer wrong' }]) {
      const { status, headers: answered } = await send(item.uri, headers);
      assert.deepEqual([status, answered.location], [401, undefined]);
    }
    await fleet.session.stores.binaryData.delete([item.id]);
    const { status, headers } = await request(item);
    assert.deepEqual([status, headers.location], [404, undefined]);
  });

  it('are rejected by the server after the URL has expired or was changed', async () => {
    const [bytes, other] = [randomBytes(LARGE_BYTES), randomBytes(LARGE_BYTES)];
    const url = await redirect(await capture(bytes));
    await capture(other);
    const [hash, otherHash] = [bytes, other].map((content) => objectKey(toHash(content)));
    assert.equal((await download(url.replace(hash ?? '', otherHash ?? ''))).status, 403);
    const shortLived = await bucket.signUrl(objectKey(toHash(bytes)), {
      contentType: 'image/jpeg',
      contentDisposition: 'attachment',
      cacheControl: 'no-store',
      expiresIn: 1,
    });
    await waitUntil(async () => (await download(shortLived)).status === 403);
  });

  it('find the object of a later generation', async () => {
    const bytes = randomBytes(LARGE_BYTES);
    const item = await capture(bytes);
    const hash = toHash(bytes);
    await bucket.put(objectKey(hash, 2), Readable.from([bytes]), bytes.length);
    await bucket.remove(objectKey(hash));
    const url = await redirect(item);
    assert.match(url, /\.2\?/);
    assert.ok(bytes.equals((await download(url)).body));
  });

  it('report an object that is missing or has a different size', async () => {
    const bytes = randomBytes(LARGE_BYTES);
    const item = await capture(bytes);
    const key = objectKey(toHash(bytes));
    for (const damage of [
      () => bucket.put(key, Readable.from(['short']), 5),
      () => bucket.remove(key),
    ]) {
      await damage();
      await clearCache();
      const { status, headers, body } = await request(item);
      assert.deepEqual([status, headers['fleetwright-error']], [500, 'data_loss']);
      assert.match(String(body), /damaged in the storage of the fleet service/);
    }
  });

  it('are sent from the local copy while the bucket is unavailable', async () => {
    const bytes = randomBytes(LARGE_BYTES);
    const item = await capture(bytes);
    await server.stopServer();
    try {
      assert.ok(bytes.equals((await request(item)).body));
      await clearCache();
      assert.equal((await request(item)).status, 503);
    } finally {
      await server.startServer();
    }
    await redirect(item);
  });

  it('reach the stores of the extension, which check the bytes and can resume', async () => {
    const bytes = randomBytes(LARGE_BYTES);
    const item = await capture(bytes);
    const { binaryData } = fleet.session.stores;
    const stream = await binaryData.content(item);
    assert.equal(stream.size, LARGE_BYTES);
    assert.ok(bytes.equals(await wholeContent(stream)));
    const version = stream.version ?? assert.fail('the download can be resumed');
    const rest = await binaryData.content(item, { from: { start: 8_000_000, version } });
    assert.equal(rest.start, 8_000_000);
    assert.ok(bytes.subarray(8_000_000).equals(await readAll(rest)));
    // Ceph ignores the condition, and returns a range.
    const from = { start: 9, version: '"other"' };
    await assert.rejects(binaryData.content(item, { from }), ofKind('conflict'));

    const key = objectKey(toHash(bytes));
    await bucket.put(key, Readable.from([randomBytes(LARGE_BYTES)]), LARGE_BYTES);
    const read = async () => wholeContent(await binaryData.content(item));
    await assert.rejects(read(), ofKind('damaged'));
    // The service has an undamaged copy.
    assert.ok(bytes.equals(await read()));
    await clearCache();
    await assert.rejects(read(), ofKind('damaged'));
    assert.ok(logger.lines.some(({ message }) => message === 'a file is damaged'));
  });

  it('are sent by the service to an extension that cannot reach the bucket', async () => {
    const bytes = randomBytes(LARGE_BYTES);
    const { uri } = await capture(bytes);
    const { id: apiKeyId, secret: apiKey } = fleet.key;
    let now = 0;
    const reader = new ContentReader({
      baseUrl: fleet.url,
      // The certificate of the bucket isn't trusted.
      authorities: [],
      now: () => now,
      getToken: () => signIn({ url: fleet.url, apiKeyId, apiKey }),
      invalidateToken: () => undefined,
    });
    try {
      fleet.reads.length = 0;
      for (let count = 0; count < 2; count += 1) {
        assert.ok(bytes.equals(await readAll(await reader.read(uri, {}))));
      }
      const declined = () => fleet.reads.map(({ headers }) => headers['fleetwright-redirect']);
      assert.deepEqual(declined(), [undefined, 'no', 'no']);
      // The store could be reachable again later.
      for (const [minutes, requests] of [
        [10, [undefined, 'no']],
        [10, ['no']],
        [10, [undefined, 'no']],
      ] as const) {
        now += minutes * MS_PER_MINUTE;
        fleet.reads.length = 0;
        assert.ok(bytes.equals(await readAll(await reader.read(uri, {}))));
        assert.deepEqual(declined(), requests);
      }
    } finally {
      reader.dispose();
    }
  });

  it('show images and fill download folders in the extension', async () => {
    const bytes = randomBytes(LARGE_BYTES);
    const item = await capture(bytes);
    const { binaryData } = fleet.session.stores;
    const contents = new ItemContents({
      store: () => binaryData,
      find: () => item,
      gathered: () => Promise.resolve(),
    });
    const image = await contents.whole(item.id, new AbortController().signal);
    assert.ok(bytes.equals(Buffer.from(image)));

    const path = join(cache, 'downloads');
    await mkdir(path);
    const downloads = new Downloads({
      store: binaryData,
      folder: await NodeDownloadFolder.open(path, (code) => code),
      sleep: () => Promise.resolve(),
      random: () => 0,
      signal: new AbortController().signal,
    });
    const original = randomBytes(LARGE_BYTES);
    const damaged = await capture(original);
    const damage = Readable.from([randomBytes(LARGE_BYTES)]);
    await bucket.put(objectKey(toHash(original)), damage, LARGE_BYTES);
    const [whole, broken] = await downloads.fetch([item, damaged]);
    assert.deepEqual(
      [whole?.state, broken?.state === 'failed' && broken.error.kind],
      ['done', 'damaged'],
    );
    assert.ok(bytes.equals(await readFile(join(path, 'data', whole?.name ?? ''))));
    assert.deepEqual(await readdir(join(path, 'data')), [whole?.name]);
    assert.ok(fleet.reads.every(({ headers }) => headers['fleetwright-redirect'] === undefined));
  });

  it('return the archives of modules, and resume after an interruption', async () => {
    const organization = organizationId(fleet.organizationId);
    const { registry } = fleet.session.stores;
    const { id } = await registry.createModule(organization, 'wheels');
    const archive = randomBytes(LARGE_BYTES);
    const read = async function* () {
      yield await Promise.resolve(archive);
    };
    const module = { id, organizationId: organization, version: '1.0.0', platform: 'any' };
    await registry.uploadModule({ ...module, read });
    const info = await registry.package(await registry.get(id), '1.0.0');
    const { status, headers } = await request({ uri: info.url });
    assert.equal(status, 307);
    const direct = await download(headers.location ?? '');
    assert.equal(direct.headers['content-type'], 'application/x-gzip');

    const path = join(cache, 'wheels.tar.gz');
    const fetchIt = (signal: AbortSignal, onBytes: (bytes: number) => void = () => undefined) =>
      fetchArchive(info, path, {
        registry,
        signal,
        onBytes,
        sleep: () => Promise.resolve(),
        describeError: (code) => code,
      });
    const stop = new AbortController();
    const interrupted = fetchIt(stop.signal, (count) => {
      if (count > 0) stop.abort();
    });
    await assert.rejects(interrupted, ofKind('canceled'));
    assert.equal(await fetchIt(new AbortController().signal), true);
    assert.match(fleet.reads.at(-1)?.headers.range ?? '', /^bytes=[1-9]\d*-$/);
    assert.ok(archive.equals(await readFile(path)));
  });

  it('leave no signature in the logs of the service and the extension', async () => {
    const item = await capture(randomBytes(LARGE_BYTES));
    const url = new URL(await redirect(item));
    await readAll(await fleet.session.stores.binaryData.content(item));
    const text = JSON.stringify(logger.lines);
    assert.match(text, /"level":"trace"/);
    assert.ok(!text.includes('X-Amz'));
    assert.ok(!text.includes(url.searchParams.get('X-Amz-Signature') ?? 'none'));
  });

  describe('with the command line', () => {
    let program: ServiceProgram;

    before(async () => {
      program = await ServiceProgram.build();
    });
    after(() => program[Symbol.asyncDispose]());

    for (const isPublic of [true, false]) {
      it(`are ${isPublic ? 'direct' : 'sent by the service'} ${isPublic ? 'with' : 'without'} --objects-public-endpoint`, async () => {
        const options = isPublic ? ['--objects-public-endpoint', server.secureEndpoint] : [];
        const objects = ['--objects', await server.createBucket(), '--log-level', 'trace'];
        const origin = 'https://app.example.com';
        const run = program.serve(
          ...['--data', program.path(), '--allow-origin', origin],
          ...objects,
          ...options,
        );
        const service = await RunningService.of(run);
        const { organizationId } = service.key;
        const app = createClient(AppService, service.transport);
        const { moduleId } = await app.createModule({ organizationId, name: 'arm' });
        const archive = randomBytes(LARGE_BYTES);
        const uri = await uploadModule({ app, moduleId }, {}, [archive]);
        const { status, headers, body } = await send(uri, { authorization: service.authorization });
        assert.equal(status, isPublic ? 307 : 200);
        const received = isPublic ? (await download(headers.location ?? '')).body : body;
        assert.ok(archive.equals(received));
        // The bucket doesn't know the origins of web pages.
        const page = await send(uri, { authorization: service.authorization, origin });
        assert.ok(page.status === 200 && archive.equals(page.body));
        await service.stop();
        assert.ok(!run.readStderr().includes('X-Amz'));
      });
    }
  });
});
