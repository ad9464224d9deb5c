import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Code } from '@connectrpc/connect';
import { sql } from 'kysely';
import { openObjectBlobStore } from '../../src/service/blobs/objectBlobStore';
import { holdLease } from '../../src/service/lake/lakeLeases';
import { NatsNotices } from '../../src/service/logs/natsNotices';
import { parseObjectsUrl } from '../../src/service/objects/objectBucket';
import { openObjectBucket } from '../../src/service/objects/openObjectBucket';
import { readNatsUrl } from '../../src/service/process/serveOptions';
import { acquireLease, lockLease } from '../../src/service/store/data/lakeLeases';
import { openPostgresStore } from '../../src/service/store/openStore';
import { toStoreError } from '../../src/service/store/storeErrors';
import { Link } from '../chaos/link';
import { organizationRow } from '../support/lakeRows';
import { describeNats, NatsTestServer } from '../support/natsServer';
import { postgresForTests, type TestPostgres } from '../support/postgres';
import { RecordingLogger } from '../support/recordingLogger';
import { silentLogger } from '../support/silentLogger';
import { TestClock } from '../support/testClock';
import { waitUntil } from '../support/waitUntil';
import {
  appClient,
  connectPart,
  signInAsOwner,
  signInToken,
  startRouterDeployment,
} from './deployment';
import { assertRejected, LogTail, newMachine, newOrganization } from './fleetFixture';

/** Timeout that includes the installation of a PostgreSQL server before its first use. */
const TIMEOUT_MS = 120_000;
const TIMES = { connectMs: 1_000, checkMs: 50, probeTimeoutMs: 300 };
const LEASE_MS = 500;
const KEY = { catalogId: 'catalog', organizationId: 'acme' };
const BUCKET_TIMEOUTS = { connectionMs: 200, idleMs: 200, shortMs: 400, checkMs: 400 };
const IMAGE_BYTES = 1_000;
/** More than the number of uploads that run at the same time. */
const UPLOADS = 10;

describe('a database that vanishes without closing its connections', function () {
  this.timeout(TIMEOUT_MS);
  let postgres: TestPostgres;
  let databaseUrl: string;
  let link: Link;

  before(async () => {
    postgres = await postgresForTests();
  });
  beforeEach(async () => {
    databaseUrl = await postgres.url();
    link = await Link.toUrl(databaseUrl);
  });
  afterEach(() => link[Symbol.asyncDispose]());
  after(() => postgres.stop());

  const openLinkedStore = () => openPostgresStore(link.rewrite(databaseUrl), silentLogger, TIMES);

  it('makes the calls and the readiness of this node fail, but not those of the other node, and both tails miss nothing', async () => {
    const clock = new TestClock();
    const options = { connectionTimes: TIMES };
    const cut = await startRouterDeployment(clock, link.rewrite(databaseUrl), options);
    const other = await startRouterDeployment(clock, databaseUrl);
    const owner = await signInAsOwner(cut);
    const { part } = await newMachine(owner, (await newOrganization(owner)).id);
    const { id } = part;
    const machine = await connectPart(other, part);
    const send = (message: string) => machine.log({ id, logs: [{ message, level: 'info' }] });
    const { apiKeyId, apiKey } = cut.owner;
    const token = await signInToken(cut, { id: apiKeyId, key: apiKey });
    const tails = {
      cut: await LogTail.open(appClient(cut, token), id),
      other: await LogTail.open(appClient(other, token), id),
    };
    await send('before');

    link.blackHole();
    const app = appClient(cut, token);
    await assertRejected(app.listOrganizations({}), Code.Unavailable, /can't reach its database/);
    const calls = Array.from({ length: UPLOADS }, () =>
      assertRejected(app.listOrganizations({}), Code.Unavailable, /can't reach its database/),
    );
    const { status } = await fetch(`${cut.url}/readyz`);
    assert.equal(status, 503);
    await Promise.all(calls);
    await send('during');
    assert.equal((await fetch(`${other.url}/readyz`)).status, 200);
    assert.deepEqual(await tails.other.read(2), ['before', 'during']);
    await tails.other.close();

    link.heal();
    await waitUntil(async () => (await fetch(`${cut.url}/readyz`)).status === 200);
    await send('after');
    assert.deepEqual(await tails.cut.read(3), ['before', 'during', 'after']);
    await tails.cut.close();
    await app.listOrganizations({});
    await cut.stop();
    await other.stop();
  });

  it("doesn't end a slow statement if it is reachable", async () => {
    await using store = await openPostgresStore(databaseUrl, silentLogger, {
      ...TIMES,
      checkMs: 20,
      probeTimeoutMs: TIMEOUT_MS,
    });
    await sql`select pg_sleep(0.5)`.execute(store);
  });

  it('ends a transaction whose commit it does not answer, and the pool opens new connections', async () => {
    await using store = await openLinkedStore();
    const transactions = Array.from({ length: UPLOADS }, () =>
      store.transaction().execute(async (transaction) => {
        await sql`select 1`.execute(transaction);
        link.blackHole();
      }),
    );
    for (const transaction of transactions) {
      await assert.rejects(transaction, (error) => toStoreError(error)?.code === Code.Unavailable);
    }
    link.heal();
    await sql`select 1`.execute(store);
  });

  it('fails a statement on a connection that delivers nothing, although others work', async () => {
    await using store = await openPostgresStore(link.rewrite(databaseUrl), silentLogger, {
      ...TIMES,
      checkMs: 20,
      probeTimeoutMs: TIMEOUT_MS,
    });
    const statement = store.connection().execute(async (connection) => {
      await sql`select 1`.execute(connection);
      link.stall();
      await sql`select 1`.execute(connection);
    });
    await assert.rejects(statement, (error) => toStoreError(error)?.code === Code.Unavailable);
    await sql`select 1`.execute(store);
  });

  it('takes the lease of a node, which can then list no files', async () => {
    await using store = await openLinkedStore();
    await using other = await openPostgresStore(databaseUrl, silentLogger);
    await other.insertInto('organizations').values(organizationRow(KEY.organizationId)).execute();
    await using held = (await holdLease(store, KEY, 'seal', LEASE_MS)) ?? assert.fail();
    link.blackHole();
    await waitUntil(async () => (await acquireLease(other, KEY, 'seal', TIMEOUT_MS)) !== undefined);
    link.heal();
    await waitUntil(() => held.signal.aborted);
    assert.ok(await held.isLost());
    assert.ok(!(await store.transaction().execute((access) => lockLease(access, held.lease))));
  });
});

describe('a bucket that vanishes without closing its connections', function () {
  this.timeout(TIMEOUT_MS);
  const url = 's3://fleet-contents/team?endpoint=http://127.0.0.1:1';
  let link: Link;
  let folder: string;
  const credentials = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };

  before(async () => {
    Object.assign(process.env, credentials);
    link = await Link.toUrl('http://127.0.0.1:1');
    link.blackHole();
    folder = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
  });
  after(async () => {
    await link[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  const openBucket = () => {
    const linked = new URL(url);
    linked.searchParams.set('endpoint', new URL(link.rewrite('http://127.0.0.1:1')).origin);
    const location = parseObjectsUrl(linked.href);
    assert.ok(typeof location === 'object');
    return openObjectBucket(location, { timeouts: BUCKET_TIMEOUTS });
  };

  it('makes each request fail as unavailable', async () => {
    const bucket = await openBucket();
    const message = /the object store of the fleet service failed .*: try again later/;
    const reject = (request: Promise<unknown>) =>
      assertRejected(request, Code.Unavailable, message);
    await Promise.all([
      reject(bucket.check()),
      reject(bucket.get('a')),
      reject(bucket.get('a', { start: 0, end: 1 })),
      reject(bucket.size('a')),
      reject(bucket.remove('a')),
      reject(bucket.list()[Symbol.asyncIterator]().next()),
      reject(bucket.put('a', Readable.from([Buffer.alloc(IMAGE_BYTES)]), IMAGE_BYTES)),
    ]);
    bucket.close();
  });

  it('makes the uploads that wait fail together with the first that it does not answer', async () => {
    const bucket = await openBucket();
    let puts = 0;
    const counted = Object.assign(Object.create(bucket) as typeof bucket, {
      put: (...args: Parameters<typeof bucket.put>) => {
        puts += 1;
        return bucket.put(...args);
      },
    });
    const blobs = await openObjectBlobStore({
      bucket: counted,
      cacheDirectory: folder,
      cacheBytes: 2 ** 20,
    });
    const uploads = Array.from({ length: UPLOADS }, async () => {
      await using blob = await blobs.receive(
        Readable.from([randomBytes(IMAGE_BYTES)]) as AsyncIterable<Uint8Array>,
      );
      await blob.prepare(0);
    });
    await Promise.all(uploads.map((upload) => assertRejected(upload, Code.Unavailable)));
    assert.ok(puts < UPLOADS, `${String(puts)} uploads were sent`);
    await blobs.close();
  });
});

describeNats('a NATS server that vanishes without closing its connections', function () {
  this.timeout(TIMEOUT_MS);

  it('is connected again when it is reachable', async () => {
    await using nats = await NatsTestServer.start();
    await using link = await Link.toUrl(nats.url);
    const logger = new RecordingLogger();
    const received: string[] = [];
    let resumptions = 0;
    const server = readNatsUrl(link.rewrite(nats.url));
    const linked = new NatsNotices(
      { server, logger, pingIntervalMs: 50 },
      { receive: (notice) => received.push(notice), resume: () => (resumptions += 1) },
    );
    const sender = new NatsNotices(
      { server: readNatsUrl(nats.url), logger: silentLogger },
      { receive: () => undefined, resume: () => (resumptions += 1) },
    );
    await waitUntil(() => resumptions >= 2);
    // On a busy computer, the short interval of pings can also end the connection earlier or later.
    const linesBefore = logger.lines.length;
    link.blackHole();
    // Without pings, nothing would tell the node that notices are lost.
    await waitUntil(() => logger.lines.length > linesBefore);
    assert.match(logger.lines[0]?.message ?? '', /NATS is not reachable/);
    await sender.send('lost');
    let announced = resumptions;
    link.heal();
    await waitUntil(async () => {
      if (announced !== resumptions) {
        announced = resumptions;
        await sender.send('later');
      }
      return received.includes('later');
    });
    await linked.close();
    await sender.close();
  });
});
