import assert from 'node:assert/strict';
import {
  appendFileSync,
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Code, createClient } from '@connectrpc/connect';
import { DataService } from '../../src/gen/viam/app/data/v1/data_pb';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { fillFleet } from '../support/capturedFleet';
import { RunningService } from '../support/runningService';
import { seededRandom } from '../support/seededRandom';
import { ServiceProgram } from '../support/serviceProgram';
import { waitUntil } from '../support/waitUntil';
import { assertRejected } from './fleetFixture';
import { CaptureLedger } from './kills/faults/captureLedger';
import { mixCalls } from './kills/faults/captureMix';
import { checkCaptures } from './kills/faults/checkCaptures';
import { newPart } from './kills/faults/newPart';

const TIMEOUT_MS = 300_000;
const READINGS = 200;
/** Larger than the maximum size that the service checks at startup. */
const LARGE_BYTES = 257 * 1024 * 1024;
const NEXT_STEP = /restore the latest backup into a new directory with service restore/;
const LOG_REPORT =
  /the end of the write-ahead log .* can't be read.*compare with the latest backup/;
/** Size of the header of SQLite's write-ahead log. */
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

describe('a damaged data directory', function () {
  this.timeout(TIMEOUT_MS);
  let program: ServiceProgram;
  /** Data directory of a stopped service. */
  let stopped: string;

  before(async () => {
    program = await ServiceProgram.build();
    stopped = program.path();
    const service = await serve(stopped);
    await fillFleet(service, { readings: READINGS, images: 4, files: 1 });
    await service.stop();
  });
  afterEach(() => program.end());
  after(() => program[Symbol.asyncDispose]());

  const serve = (data: string): Promise<RunningService> =>
    RunningService.of(program.serve('--data', data));

  function copy(data: string): string {
    const target = program.path();
    cpSync(data, target, { recursive: true });
    return target;
  }

  /** Overwrites the pages of a table, as a failing disk might. */
  function overwriteTable(data: string, table: string): void {
    const path = join(data, 'fleet.db');
    const database = new DatabaseSync(path);
    const { rootpage } =
      database.prepare('select rootpage from sqlite_schema where name = ?').get(table) ?? {};
    const { page_size: pageSize } = database.prepare('pragma page_size').get() ?? {};
    database.close();
    const file = openSync(path, 'r+');
    const garbage = Buffer.alloc(Number(pageSize), 0xa5);
    writeSync(file, garbage, 0, garbage.length, (Number(rootpage) - 1) * garbage.length);
    closeSync(file);
  }

  /** Starts a service that must fail; returns its output. */
  async function failToServe(data: string): Promise<string> {
    const { exitCode, stdout, stderr } = await program.serve('--data', data).ended;
    assert.equal(exitCode, 1, stderr);
    assert.equal(stdout, '');
    assert.doesNotMatch(stderr, /unexpected failure|\n? {4}at /);
    return stderr;
  }

  it('copied after a power failure during writes starts with all acknowledged data', async () => {
    const data = program.path();
    const service = await serve(data);
    const random = seededRandom(11);
    const partId = await newPart(service);
    const ledger = new CaptureLedger();
    const mixing = mixCalls(service, partId, ledger, random);
    await waitUntil(() => ledger.acknowledged.readings > 0 && ledger.acknowledged.items > 0);
    await service.kill();
    await mixing;
    const cutOff = copy(data);
    tearLastWrites(join(cutOff, 'fleet.db'));
    const restarted = await serve(cutOff);
    await checkCaptures(restarted, partId, ledger);
    await restarted.stop();
    const { stderr } = await restarted.run.ended;
    assert.doesNotMatch(stderr, /the database is damaged/);
    assert.match(stderr, LOG_REPORT);
  });

  it('with a truncated write-ahead log starts, and reports that the last changes are missing', async () => {
    const data = copy(stopped);
    const service = await serve(data);
    await fillFleet(service, { readings: 10, images: 1, files: 0 });
    await service.kill();
    const log = join(data, 'fleet.db-wal');
    assert.ok(statSync(log).size > 0);
    truncateSync(log, Math.floor(statSync(log).size / 2) + 7);
    const restarted = await serve(data);
    const { machines } = await readMachines(restarted);
    assert.ok(machines >= 1);
    await restarted.stop();
    const { stderr } = await restarted.run.ended;
    assert.match(stderr, LOG_REPORT);
    assert.doesNotMatch(stderr, /the database is damaged/);
  });

  it('makes the service name its damaged tables after an interruption, and serve what it can read', async () => {
    const data = copy(stopped);
    const interrupted = await serve(data);
    await interrupted.kill();
    // Recovers the database, as SQLite does when it opens a database that wasn't closed.
    new DatabaseSync(join(data, 'fleet.db')).close();
    const contents = countContents(data);
    const damaged = ['binary_data', 'lake_files', 'readings', 'training_jobs'];
    for (const table of damaged) overwriteTable(data, table);
    const service = await serve(data);
    const { machines, partId } = await readMachines(service);
    assert.equal(machines, 1);
    const client = createClient(DataService, service.transport);
    const part = { partId, resourceName: 'climate', resourceSubtype: 'sensor' };
    for (const call of [
      () => client.tabularDataByFilter({}),
      () => client.tabularDataByFilter({}),
      () => client.binaryDataByFilter({}),
      () => firstMessage(client.exportTabularData({ ...part, methodName: 'Readings' })),
    ]) {
      await assertRejected(call(), Code.DataLoss, /database of the fleet service is damaged/);
    }
    await service.stop();
    assert.equal(countContents(data), contents, 'contents were deleted');
    const { stderr } = await service.run.ended;
    const [report = '', ...more] = stderr
      .split('\n')
      .filter((line) => line.includes('the database is damaged: restore a backup'));
    assert.deepEqual(more, []);
    const { level, tables } = JSON.parse(report) as { level: string; tables: string };
    assert.equal(level, 'error');
    assert.deepEqual(tables.split(' ').sort(), damaged);
    const calls = [...stderr.matchAll(/is damaged: stop the service.*?"method":"[\w.]+\/(\w+)"/g)];
    assert.deepEqual(
      calls.map(([, method]) => method),
      ['TabularDataByFilter', 'BinaryDataByFilter', 'ExportTabularData'],
    );
    assert.match(stderr, /skipped because the database is damaged: starting training jobs/);
    assert.doesNotMatch(stderr, / {4}at /);

    // At this start, the service has no record of the interruption.
    const again = await serve(data);
    await again.stop();
    assert.equal(countContents(data), contents, 'contents were deleted at the second start');
    assert.match((await again.run.ended).stderr, /the database is damaged: restore a backup/);
  });

  describe('with a database that is too large to check at startup', () => {
    /** Returns a copy of a large database whose service was interrupted. */
    async function interrupt(damaged: readonly string[]): Promise<string> {
      const data = copy(stopped);
      const interrupted = await serve(data);
      await interrupted.kill();
      new DatabaseSync(join(data, 'fleet.db')).close();
      for (const table of damaged) overwriteTable(data, table);
      // SQLite ignores data beyond the number of pages that the header specifies.
      truncateSync(join(data, 'fleet.db'), LARGE_BYTES);
      return data;
    }

    /** Runs the service until a log line matches, and returns that line. */
    async function serveUntilLogged(data: string, line: RegExp): Promise<string> {
      const service = await serve(data);
      const { machines } = await readMachines(service);
      assert.equal(machines, 1);
      await waitUntil(() => line.test(service.run.readStderr()));
      await service.stop();
      const { stderr } = await service.run.ended;
      return stderr.split('\n').find((written) => line.test(written)) ?? '';
    }

    const isMarked = (data: string): boolean => existsSync(join(data, 'database.damaged'));

    it('makes the service name its damaged tables while it serves', async () => {
      const damaged = ['binary_data', 'readings'];
      const data = await interrupt(damaged);
      const contents = countContents(data);
      // At the second start, the service has no record of the interruption.
      for (let starts = 0; starts < 2; starts += 1) {
        const line = await serveUntilLogged(data, /the database is damaged: restore a backup/);
        const { level, tables } = JSON.parse(line) as { level: string; tables: string };
        assert.deepEqual([level, tables.split(' ').sort()], ['error', damaged]);
        assert.ok(isMarked(data));
      }
      assert.equal(countContents(data), contents, 'contents were deleted');
    });

    it('is checked at the next start too until a check has finished', async () => {
      const data = await interrupt([]);
      const service = await serve(data);
      await service.stop();
      const { stderr } = await service.run.ended;
      const wasChecked = stderr.includes('the database is intact');
      assert.equal(isMarked(data), !wasChecked, stderr);
      if (!wasChecked) await serveUntilLogged(data, /the database is intact/);
      assert.ok(!isMarked(data));
    });
  });

  for (const [damage, change] of [
    ['that is invalid', (path: string) => writeFileSync(path, 'x'.repeat(10_000))],
    ['that is truncated', (path: string) => truncateSync(path, 20_000)],
  ] as const) {
    it(`with a database ${damage} is reported with the next step by every command`, async () => {
      const data = copy(stopped);
      change(join(data, 'fleet.db'));
      assert.match(await failToServe(data), NEXT_STEP);
      const target = `${data}-backup`;
      for (const args of [
        ['backup', '--data', data, '--to', target],
        ['rotate-secrets-key', '--data', data],
      ]) {
        const { exitCode, stderr } = await program.run(...args).ended;
        assert.equal(exitCode, 1, stderr);
        assert.match(stderr, NEXT_STEP);
      }
      const names = readdirSync(dirname(data));
      assert.ok(!names.some((name) => name.includes('backup')), 'a partial backup was left');
    });
  }

  it('with a damaged page is not backed up, and the error explains how to continue', async () => {
    const data = copy(stopped);
    overwriteTable(data, 'readings');
    const target = `${data}-backup`;
    const { exitCode, stderr } = await program.run('backup', '--data', data, '--to', target).ended;
    assert.equal(exitCode, 1, stderr);
    assert.match(
      stderr,
      /the database is damaged \(.*keep earlier backups.*service restore --from/,
    );
    assert.ok(!existsSync(target));
  });

  it('without its database is not filled with a new fleet', async () => {
    for (const lose of [(path: string) => rmSync(path), (path: string) => truncateSync(path, 0)]) {
      const data = copy(stopped);
      lose(join(data, 'fleet.db'));
      assert.match(await failToServe(data), /fleet\.db is missing or empty.*service restore/);
      assert.ok(readdirSync(join(data, 'blobs')).length > 1, 'contents were deleted');
    }
    assert.ok(existsSync(join(stopped, 'credentials.json')));
  });
});

function firstMessage(messages: AsyncIterable<unknown>): Promise<unknown> {
  return messages[Symbol.asyncIterator]().next();
}

function countContents(data: string): number {
  return readdirSync(join(data, 'blobs'), { recursive: true }).length;
}

/**
 * Leaves a database in the state after a power failure: the last page in the log is only partly
 * written, and the database file also contains a partly written page, which is complete in the log.
 */
function tearLastWrites(path: string): void {
  const log = readFileSync(`${path}-wal`);
  const pageBytes = log.readUInt32BE(8);
  const salt = log.subarray(16, 24);
  let committed: number | undefined;
  for (
    let offset = LOG_HEADER_BYTES;
    offset < log.length && log.subarray(offset + 8, offset + 16).equals(salt);
    offset += FRAME_HEADER_BYTES + pageBytes
  ) {
    if (log.readUInt32BE(offset + 4) > 0) committed = log.readUInt32BE(offset);
  }
  const garbage = Buffer.alloc(pageBytes / 2, 0xa5);
  if (committed !== undefined) {
    const file = openSync(path, 'r+');
    writeSync(file, garbage, 0, garbage.length, committed * pageBytes - garbage.length);
    closeSync(file);
  }
  const header = Buffer.alloc(FRAME_HEADER_BYTES, 0xa5);
  salt.copy(header, 8);
  appendFileSync(`${path}-wal`, Buffer.concat([header, garbage]));
}

async function readMachines({ transport, key: { organizationId } }: RunningService) {
  const app = createClient(AppService, transport);
  const { locations } = await app.listLocations({ organizationId });
  const lists = await Promise.all(locations.map(({ id }) => app.listRobots({ locationId: id })));
  const robots = lists.flatMap((list) => list.robots);
  const { parts } = await app.getRobotParts({ robotId: robots[0]?.id ?? '' });
  return { machines: robots.length, partId: parts[0]?.id ?? '' };
}
