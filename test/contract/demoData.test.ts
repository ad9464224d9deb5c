import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { type Client, createClient, type Interceptor } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { decode } from 'jpeg-js';
import { PNG } from 'pngjs';
import {
  type BinaryData,
  DataService,
  TagsFilterType,
} from '../../src/gen/viam/app/data/v1/data_pb';
import { DatasetService } from '../../src/gen/viam/app/dataset/v1/dataset_pb';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { type ServiceKey, signIn } from '../support/serviceClients';
import { readJson, ServiceProgram } from '../support/serviceProgram';

const TIMEOUT_MS = 120_000;
const ROOT = join(import.meta.dirname, '../..');
const UNTIL = new Date('2026-03-01T12:00:00.000Z');
const DAY_MS = 24 * 3600 * 1000;

interface ScriptRun {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `npm run demo-data` without npm. */
function startScript(args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(ROOT, 'scripts/demoData.ts'), ...args],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...environment } },
  );
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]).then(
    ([[exitCode], stdout, stderr]): ScriptRun => ({
      exitCode: exitCode as number | null,
      stdout,
      stderr,
    }),
  );
  return { child, ended };
}

interface Clients {
  token: string;
  app: Client<typeof AppService>;
  data: Client<typeof DataService>;
  datasets: Client<typeof DatasetService>;
}

describe('npm run demo-data', function () {
  this.timeout(TIMEOUT_MS);
  let program: ServiceProgram;
  let key: ServiceKey & { organizationId: string };
  let credentialsFile: string;
  let clients: Clients;
  let sessionManager: Http2SessionManager;
  let first: ScriptRun;

  const options = (): string[] => [
    ...['--credentials', credentialsFile, '--until', UNTIL.toISOString(), '--days', '10'],
    ...['--readings', '2000', '--images', '6', '--pointclouds', '3'],
  ];
  const images = async (): Promise<BinaryData[]> => {
    const { data } = await clients.data.binaryDataByFilter({
      dataRequest: { filter: { mimeType: ['image/jpeg', 'image/png'] }, limit: 100n },
      includeBinary: false,
    });
    return data;
  };
  const readingCount = async (filter = {}): Promise<bigint> => {
    const { count } = await clients.data.tabularDataByFilter({
      dataRequest: { filter },
      countOnly: true,
    });
    return count;
  };

  before(async () => {
    program = await ServiceProgram.build();
    const ready = await program.serve('--ephemeral').ready;
    assert.ok(ready);
    ({ credentialsFile } = ready);
    key = readJson(credentialsFile) as typeof key;
    const token = await signIn(key);
    sessionManager = new Http2SessionManager(key.url);
    const bearer: Interceptor = (next) => (call) => {
      call.header.set('authorization', `Bearer ${token}`);
      return next(call);
    };
    const transport = createGrpcTransport({
      baseUrl: key.url,
      sessionManager,
      interceptors: [bearer],
    });
    clients = {
      token,
      app: createClient(AppService, transport),
      data: createClient(DataService, transport),
      datasets: createClient(DatasetService, transport),
    };
    first = await startScript(options()).ended;
  });

  after(async () => {
    sessionManager.abort();
    await program[Symbol.asyncDispose]();
  });

  it('describes itself and reports its results', () => {
    assert.equal(first.exitCode, 0, first.stderr);
    assert.equal(first.stderr, '');
    assert.match(
      first.stdout,
      /^Filling "My Fleet" at http:.* with 2,000 readings, 6 images, 3 po/,
    );
    assert.match(first.stdout, /^readings +2,000 in [\d.]+ s, [\d,.]+ a second$/m);
    assert.match(first.stdout, /^images +6 in /m);
    assert.match(first.stdout, /^point clouds +3 in /m);
    assert.match(first.stdout, /^Done in [\d.]+ s\./m);
  });

  it('creates machines if there are none', async () => {
    const { organizationId } = key;
    const { locations } = await clients.app.listLocations({ organizationId });
    assert.deepEqual(
      locations.map(({ name }) => name),
      ['Demo data'],
    );
    const { robots } = await clients.app.listRobots({ locationId: locations[0]?.id ?? '' });
    assert.equal(robots.length, 4);
  });

  it('uploads readings of several components over the requested days', async () => {
    assert.equal(await readingCount(), 2000n);
    const tagged = { tagsFilter: { type: TagsFilterType.MATCH_BY_OR, tags: ['demo-data'] } };
    assert.equal(await readingCount(tagged), 2000n);
    assert.equal(await readingCount({ componentType: 'rdk:component:movement_sensor' }), 300n);
    const start = UNTIL.getTime() - 10 * DAY_MS;
    for (const sortOrder of [1, 2]) {
      const { data } = await clients.data.tabularDataByFilter({
        dataRequest: { limit: 1n, sortOrder },
      });
      const time = data[0]?.timeRequested && timestampDate(data[0].timeRequested).getTime();
      assert.ok(time !== undefined && time >= start && time <= UNTIL.getTime());
      // The first and last readings must be close to the ends of the time range.
      const end = sortOrder === 1 ? UNTIL.getTime() : start;
      assert.ok(Math.abs(time - end) < DAY_MS, String(time));
    }
  });

  it('uploads images with valid contents, some of them labeled', async () => {
    const found = await images();
    assert.equal(found.length, 6);
    const labels = found.flatMap(({ metadata }) => metadata?.annotations?.bboxes ?? []);
    assert.ok(labels.length > 0);
    assert.ok(found.some(({ metadata }) => metadata?.annotations?.bboxes.length === 0));
    const { labels: names } = await clients.data.boundingBoxLabelsByFilter({});
    assert.ok(names.every((name) => ['box', 'cone', 'pallet', 'person'].includes(name)));
    for (const { metadata } of found) {
      const response = await fetch(metadata?.uri ?? '', {
        headers: { authorization: `Bearer ${clients.token}` },
      });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), metadata?.captureMetadata?.mimeType);
      const bytes = Buffer.from(await response.arrayBuffer());
      const { width, height } =
        metadata?.fileExt === '.png' ? PNG.sync.read(bytes) : decode(bytes, { useTArray: true });
      assert.deepEqual([width, height], [640, 480]);
    }
    assert.deepEqual(
      found.map(({ metadata }) => metadata?.fileName).filter((name) => name !== ''),
      ['scene-00006'],
    );
  });

  it('uploads a point cloud of each encoding', async () => {
    const { data } = await clients.data.binaryDataByFilter({
      dataRequest: { filter: { mimeType: ['pointcloud/pcd'] } },
      includeBinary: false,
    });
    const encodings: string[] = [];
    for (const { metadata } of data) {
      const response = await fetch(metadata?.uri ?? '', {
        headers: { authorization: `Bearer ${clients.token}` },
      });
      const content = Buffer.from(await response.arrayBuffer()).toString('latin1');
      assert.match(content, /^# \.PCD v\.7/);
      encodings.push(/^DATA (\w+)$/m.exec(content)?.[1] ?? '');
    }
    assert.deepEqual(encodings.sort(), ['ascii', 'binary', 'binary_compressed']);
  });

  it('adds items to datasets', async () => {
    const { organizationId } = key;
    const { datasets } = await clients.datasets.listDatasetsByOrganizationID({ organizationId });
    assert.deepEqual(datasets.map(({ name }) => name).sort(), [
      'Demo data: hall scans',
      'Demo data: warehouse scenes',
    ]);
    for (const { id, name } of datasets) {
      const { count } = await clients.data.binaryDataByFilter({
        dataRequest: { filter: { datasetId: id } },
        countOnly: true,
      });
      assert.ok(name.endsWith('hall scans') ? count === 3n : count > 0n && count < 6n, name);
    }
  });

  it('creates the same data for the same seed', async () => {
    const before = (await images()).map(({ metadata }) => metadata?.fileSizeBytes).sort();
    const again = await startScript([...options(), '--organization', 'My Fleet']).ended;
    assert.equal(again.exitCode, 0, again.stderr);
    assert.equal(await readingCount(), 4000n);
    const sizes = (await images()).map(({ metadata }) => metadata?.fileSizeBytes).sort();
    assert.deepEqual(sizes, before.flatMap((size) => [size, size]).sort());
    const { organizationId } = key;
    const { datasets } = await clients.datasets.listDatasetsByOrganizationID({ organizationId });
    assert.equal(datasets.length, 2);
  });

  it('stops at Ctrl+C, and preserves what is stored', async () => {
    const endless = ['--readings', '100000000', '--images', '0', '--pointclouds', '0'];
    const run = startScript(['--credentials', credentialsFile, ...endless]);
    await once(run.child.stdout, 'data');
    run.child.kill('SIGINT');
    const { exitCode, stdout, stderr } = await run.ended;
    assert.equal(exitCode, 130, stderr);
    assert.match(stdout, /Stopped\. What was stored until then stays\.\n$/);
  });

  it('names an option that it does not support', async () => {
    const { exitCode, stderr } = await startScript(['--reading', '1']).ended;
    assert.equal(exitCode, 2);
    assert.match(stderr, /^demo-data: .*'--reading'.*\nRun with --help for usage\.\n$/);
  });

  it('reports that a service does not respond', async () => {
    const environment = { SVC_API_KEY_ID: 'id', SVC_API_KEY: 'key' };
    const { exitCode, stderr } = await startScript(['--url', 'http://127.0.0.1:1'], environment)
      .ended;
    assert.equal(exitCode, 1);
    assert.match(stderr, /^demo-data: .*127\.0\.0\.1:1/);
  });

  it('lists the existing organizations if the requested one is unknown', async () => {
    const args = ['--credentials', credentialsFile, '--organization', 'Elsewhere'];
    const { exitCode, stderr } = await startScript(args).ended;
    assert.equal(exitCode, 1);
    assert.match(stderr, /no organization "Elsewhere"; it has "My Fleet"/);
  });
});
