import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { createClient } from '@connectrpc/connect';
import { Client } from 'pg';
import PostalMime from 'postal-mime';
import { DataService } from '../../src/gen/viam/app/data/v1/data_pb';
import { DataSyncService, DataType } from '../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { readFleet } from '../support/capturedFleet';
import { describeObjectStore } from '../support/objectStore';
import { startPostgresCluster } from '../support/postgresCluster';
import { RunningService } from '../support/runningService';
import { ServiceProgram } from '../support/serviceProgram';
import { VersionedBucket } from '../support/versionedBucket';
import { waitUntil } from '../support/waitUntil';
import { newPart } from './kills/faults/newPart';

const TIMEOUT_MS = 300_000;
const START_MS = Date.UTC(2026, 0, 1);
const LABEL = 'drill';

/** Bytes of a numbered image. */
const createImage = (n: number): Buffer =>
  Buffer.from(`image ${String(n)} `.repeat(1 + (n % 40) * 50));

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Writes numbered images and readings to a service, one after the other. */
class Writer {
  /** Number of images and readings that the service has acknowledged. */
  acknowledged = 0;
  /** Number of images and readings that were sent. */
  sent = 0;
  readonly ids: string[] = [];
  private isStopped = false;
  private readonly sync;

  constructor(
    service: RunningService,
    private readonly partId: string,
  ) {
    this.sync = createClient(DataSyncService, service.transport);
  }

  async writeNext(): Promise<void> {
    const n = this.sent;
    this.sent += 1;
    const { partId } = this;
    const { binaryDataId } = await this.sync.dataCaptureUpload({
      metadata: { partId, componentName: 'cam', type: DataType.BINARY_SENSOR },
      sensorContents: [{ data: { case: 'binary', value: createImage(n) } }],
    });
    const time = timestampFromMs(START_MS + n * 1000);
    await this.sync.dataCaptureUpload({
      metadata: {
        partId,
        componentType: 'rdk:component:sensor',
        componentName: 'climate',
        methodName: 'Readings',
        type: DataType.TABULAR_SENSOR,
      },
      sensorContents: [
        {
          metadata: { timeRequested: time, timeReceived: time },
          data: { case: 'struct', value: { readings: { n } } },
        },
      ],
    });
    this.ids.push(binaryDataId);
    this.acknowledged += 1;
  }

  async write(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) await this.writeNext();
  }

  /** Writes until `stop` is called. */
  async writeOn(): Promise<void> {
    while (!this.isStopped) await this.writeNext();
  }

  stop(): void {
    this.isStopped = true;
  }
}

/** Checks that a fleet has exactly the first images and readings, and returns their number. */
async function countWritten(
  service: RunningService,
): Promise<{ images: number; readings: number }> {
  const { contents, readings, queried } = await readFleet(service);
  const images = contents.length;
  assert.deepEqual(
    contents.map((content) => content.digest).sort(),
    Array.from({ length: images }, (_, n) => digest(createImage(n))).sort(),
  );
  assert.deepEqual(
    readings.map((payload) => (payload as { readings: { n: number } }).readings.n).sort(ascending),
    readings.map((_, n) => n),
  );
  assert.deepEqual(queried, [{ count: readings.length }]);
  return { images, readings: readings.length };
}

const ascending = (a: number, b: number): number => a - b;

describe('the backup drill', function () {
  this.timeout(TIMEOUT_MS);
  let program: ServiceProgram;

  before(async () => {
    program = await ServiceProgram.build();
  });
  afterEach(() => program.end());
  after(() => program[Symbol.asyncDispose]());

  const serve = (...options: string[]): Promise<RunningService> =>
    RunningService.of(program.serve(...options));

  async function succeed(...args: string[]): Promise<void> {
    const { exitCode, stderr } = await program.run(...args).ended;
    assert.equal(exitCode, 0, stderr);
  }

  const invite = async (service: RunningService, email: string): Promise<void> => {
    const { organizationId } = service.key;
    await createClient(AppService, service.transport).createOrganizationInvite({
      organizationId,
      email,
      authorizations: [
        {
          authorizationType: 'role',
          authorizationId: 'organization_operator',
          resourceType: 'organization',
          resourceId: organizationId,
          organizationId,
        },
      ],
    });
  };

  /** Opens the link of the only invitation in an outbox, on the service at a URL. */
  async function acceptInvitation(outbox: string, url: string): Promise<string> {
    const [file = '', ...others] = readdirSync(outbox);
    assert.deepEqual(others, []);
    const { text = '' } = await PostalMime.parse(readFileSync(join(outbox, file)));
    const [link = ''] = /^http\S+$/m.exec(text) ?? [];
    const answer = await fetch(new URL(new URL(link).pathname, url));
    assert.equal(answer.status, 200);
    return answer.text();
  }

  it('restores an embedded fleet as it was while clients were writing', async () => {
    const data = program.path();
    const [target, restored] = [`${data}-backup`, `${data}-restored`];
    const service = await serve('--data', data);
    await invite(service, 'ada@example.com');
    const outbox = join(data, 'outbox');
    await waitUntil(() => existsSync(outbox) && readdirSync(outbox).length === 1);
    const writer = new Writer(service, await newPart(service));
    await writer.write(5);
    const writing = writer.writeOn();
    const before = writer.acknowledged;
    await succeed('backup', '--data', data, '--to', target, '--include-secrets-key');
    const after = writer.sent;
    assert.ok(after > before, 'nothing was written during the backup');
    await waitUntil(() => writer.acknowledged > after);
    writer.stop();
    await writing;
    await service.stop();

    await succeed('restore', '--from', target, '--data', restored);
    const copy = await serve('--data', restored);
    const { images, readings } = await countWritten(copy);
    assert.ok(images >= before && images <= after, `${before} ${images} ${after}`);
    assert.ok(readings === images || readings === images - 1, `${images} ${readings}`);
    const page = await acceptInvitation(join(restored, 'outbox'), copy.key.url);
    assert.match(page, /ada@example\.com/);
    await copy.stop();
    rmSync(outbox, { recursive: true });
  });

  /** Restores a fleet in PostgreSQL to a time, from a base backup and archived WAL. */
  async function restoreToTime(contents: ContentsDrill): Promise<void> {
    const data = program.path();
    const folder = mkdtempSync(join(tmpdir(), 'fleetwright-test-'));
    const archive = join(folder, 'archive');
    const base = join(folder, 'base');
    mkdirSync(archive);
    // PostgreSQL can run under another account.
    chmodSync(folder, 0o755);
    chmodSync(archive, 0o777);
    const archiving = [
      'archive_mode=on',
      `archive_command=test ! -f ${archive}/%f && cp %p ${archive}/%f`,
      'wal_level=replica',
      'full_page_writes=on',
    ];
    const source = await startPostgresCluster({ settings: archiving });
    const admin = new Client({ connectionString: source.adminUrl });
    await admin.connect();
    const query = async (text: string): Promise<Record<string, unknown>> => {
      const { rows } = await admin.query<Record<string, unknown>>(text);
      return rows[0] ?? {};
    };
    const service = await serve(
      ...['--data', data, '--database-url', source.adminUrl, ...contents.options],
    );
    const writer = new Writer(service, await newPart(service));
    await writer.write(4);

    // Like pg_basebackup, copies the files of the running server between two calls.
    await query(`select pg_backup_start('${LABEL}', fast => true)`);
    const writing = writer.writeOn();
    cpSync(source.dataFolder, base, {
      recursive: true,
      filter: (path) => !/postmaster\.(pid|opts)$|pg_wal\/./.test(path),
    });
    const { labelfile } = await query('select labelfile from pg_backup_stop()');
    writeFileSync(join(base, 'backup_label'), String(labelfile));
    await waitUntil(() => writer.acknowledged > 8);
    writer.stop();
    await writing;

    await invite(service, 'ada@example.com');
    await waitUntil(() => existsSync(join(data, 'outbox')));
    contents.backUp(data);
    cpSync(join(data, 'secrets.key'), join(folder, 'safe.key'));
    const before = await readFleet(service);
    const { time, milliseconds } = await query(
      'select now::text as time, extract(epoch from now) * 1000 as milliseconds from clock_timestamp() as now',
    );
    const acknowledged = writer.acknowledged;

    // The mistake that the restore undoes: the disk has other contents, and the database other rows.
    await writer.write(3);
    await createClient(DataService, service.transport).deleteBinaryDataByIDs({
      binaryDataIds: writer.ids.slice(0, 2),
    });
    const { file } = await query('select pg_walfile_name(pg_switch_wal()) as file');
    await waitUntil(() => existsSync(join(archive, String(file))));
    await admin.end();
    await service.stop();
    source.stop();
    await contents.lose();

    writeFileSync(join(base, 'recovery.signal'), '');
    const restored = await startPostgresCluster({
      base,
      settings: [
        `restore_command=cp ${archive}/%f %p`,
        `recovery_target_time=${String(time)}`,
        'recovery_target_action=promote',
      ],
    });
    try {
      const newData = `${data}-restored`;
      mkdirSync(newData);
      const options = await contents.restore(newData, new Date(Number(milliseconds)));
      cpSync(join(folder, 'safe.key'), join(newData, 'secrets.key'));
      cpSync(join(data, 'outbox'), join(newData, 'outbox'), { recursive: true });
      await waitUntil(async () => isWritable(restored.adminUrl));
      const copy = await serve(
        ...['--data', newData, '--database-url', restored.adminUrl, ...options],
      );
      assert.deepEqual(await readFleet(copy), before);
      const { images, readings } = await countWritten(copy);
      assert.deepEqual([images, readings], [acknowledged, acknowledged]);
      await acceptInvitation(join(newData, 'outbox'), copy.key.url);
      await succeed('verify', '--data', newData, '--database-url', restored.adminUrl);
      await copy.stop();
    } finally {
      restored.stop();
      rmSync(folder, { recursive: true });
    }
  }

  it('restores a fleet in PostgreSQL to a time, with contents in the data directory', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fleetwright-test-'));
    await restoreToTime({
      options: [],
      backUp: (data) => cpSync(join(data, 'blobs'), folder, { recursive: true }),
      lose: () => Promise.resolve(),
      restore: (newData) => {
        cpSync(folder, join(newData, 'blobs'), { recursive: true });
        return Promise.resolve([]);
      },
    });
    rmSync(folder, { recursive: true });
  });

  describeObjectStore('with a bucket that has versions', () => {
    it('restores a fleet in PostgreSQL to a time, with contents and files of queries', async () => {
      const bucket = await VersionedBucket.create();
      await restoreToTime({
        options: ['--objects', bucket.url],
        backUp: () => undefined,
        lose: async () => assert.ok((await bucket.deleteAll()) > 0),
        restore: async (_newData, time) => [
          '--objects',
          await bucket.restore(time, 'team/restored'),
        ],
      });
    });
  });
});

/** Contents of a fleet that is restored to a time. */
interface ContentsDrill {
  /** Options of the service. */
  options: readonly string[];
  /** Copies contents in a data directory. */
  backUp(data: string): void;
  /** Deletes the contents after the mistake that the restore undoes. */
  lose(): Promise<void>;
  /** Restores the contents for a new data directory. Returns the options of the service that uses them. */
  restore(newData: string, time: Date): Promise<readonly string[]>;
}

/** Returns true if a server has finished its recovery. */
async function isWritable(adminUrl: string): Promise<boolean> {
  const client = new Client({ connectionString: adminUrl });
  try {
    await client.connect();
    const { rows } = await client.query<{ waits: boolean }>('select pg_is_in_recovery() as waits');
    return rows[0]?.waits === false;
  } catch {
    await sleep(100);
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
