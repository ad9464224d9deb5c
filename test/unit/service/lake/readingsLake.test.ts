import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Code, ConnectError } from '@connectrpc/connect';
import { deserialize } from 'bson';
import { ReadingsLake } from '../../../../src/service/lake/readingsLake';
import type { JobRunner, QueryJob, ReadingsFiles } from '../../../../src/service/query/queryJob';
import { QueryProcesses } from '../../../../src/service/query/queryProcesses';
import { lastReadingId } from '../../../../src/service/store/data/lakeManifest';
import { insertReadings, type NewReading } from '../../../../src/service/handlers/data/uploads';
import { deleteReadings } from '../../../../src/service/store/data/readingsDeletion';
import { openSqliteStore } from '../../../../src/service/store/openStore';
import type { Store } from '../../../../src/service/store/store';
import { openQueryProcesses } from '../../../support/openQueryProcesses';
import { organizationRow, seriesRow } from '../../../support/lakeRows';
import { RecordingLogger } from '../../../support/recordingLogger';
import { silentLogger } from '../../../support/silentLogger';

const DAY = 86_400_000_000;
const START = Date.UTC(2026, 0, 1) * 1000;
const STARTING_MS = 90_000;

describe('the lake of readings', function () {
  this.timeout(STARTING_MS);
  let runner: QueryProcesses;
  let store: Store;
  let directory: string;
  let lake: ReadingsLake;
  let now = START + 40 * DAY;

  before(async () => {
    runner = await openQueryProcesses();
  });

  after(() => runner.close());

  beforeEach(async () => {
    store = await openSqliteStore(undefined);
    await store
      .insertInto('organizations')
      .values(['acme', 'other'].map((id) => organizationRow(id)))
      .execute();
    directory = await mkdtemp(join(tmpdir(), 'fleetwright-'));
    lake = await open();
  });

  afterEach(async () => {
    await lake.close();
    await store.destroy();
    await rm(directory, { recursive: true });
  });

  function open(through: JobRunner = runner): Promise<ReadingsLake> {
    return ReadingsLake.open({
      store,
      runner: through,
      directory,
      now: () => now,
      logger: silentLogger,
    });
  }

  /** Returns a runner that makes jobs of one kind fail after they have written their file. */
  function failingAfterWriting(kind: QueryJob['kind']): JobRunner {
    return {
      async *run(job, signal) {
        for await (const document of runner.run(job, signal)) {
          yield document;
          if (job.kind === kind) throw new Error('ended too early');
        }
      },
    };
  }

  async function capture(organizationId: string, values: readonly number[], at = START) {
    await captureAll(
      organizationId,
      values.map((n) => ({
        timestamp: at + n * 1_000_000,
        data: { readings: { n, label: `l${String(n)}` } },
      })),
    );
  }

  async function captureAll(
    organizationId: string,
    captured: readonly { timestamp: number; data: object }[],
  ) {
    const readings = captured.map(({ timestamp, data }): NewReading => {
      return { requestedAt: timestamp, receivedAt: timestamp, payload: JSON.stringify(data) };
    });
    await store
      .transaction()
      .execute((transaction) =>
        insertReadings(transaction, seriesRow(organizationId), readings, now),
      );
  }

  async function deleteBefore(
    organizationId: string,
    beforeDay: number | undefined,
    signal = new AbortController().signal,
  ) {
    return deleteReadings(
      store,
      {
        organizationId,
        series: { scopes: [], columns: [{ column: 'organization_id', anyOf: [organizationId] }] },
        beforeDay,
        throughId: await lastReadingId(store),
      },
      signal,
    );
  }

  /** Returns the numbers in the readings that a query of an organization finds. */
  async function numbers(organizationId = 'acme', recent = false): Promise<number[]> {
    await using snapshot = await lake.snapshot(organizationId, { recent });
    return await readNumbers(snapshot.readings);
  }

  async function readNumbers(readings: ReadingsFiles): Promise<number[]> {
    const found: number[] = [];
    const sql = 'select data.readings.n as n from readings order by n';
    for await (const document of runner.run({ kind: 'sql', sql, readings })) {
      found.push(Number(deserialize(document).n));
    }
    return found;
  }

  async function files(organizationId = 'acme'): Promise<string[]> {
    const rows = await store
      .selectFrom('lake_files')
      .select('name')
      .where('organization_id', '=', organizationId)
      .execute();
    const listed = rows.map(({ name }) => name).toSorted();
    const present = await readdir(join(directory, organizationId));
    assert.deepEqual(present.toSorted(), listed);
    return listed;
  }

  it('contains every reading once, and only those of its organization', async () => {
    await capture('acme', [1, 2]);
    await capture('other', [7]);
    assert.deepEqual(await numbers(), [1, 2]);
    await capture('acme', [3]);
    await capture('acme', [4], START + DAY);
    assert.deepEqual(await numbers(), [1, 2, 3, 4]);
    assert.deepEqual(await numbers('other'), [7]);
    assert.deepEqual(await numbers('nobody'), []);
    assert.equal((await files()).length, 3);
  });

  it('merges the shapes of values over all files', async () => {
    await capture('acme', [1]);
    await numbers();
    await capture('acme', [2]);
    await using snapshot = await lake.snapshot('acme', { recent: false });
    assert.deepEqual(snapshot.readings.shape, { readings: { n: 'DOUBLE', label: 'VARCHAR' } });
  });

  it('merges the shapes of objects even if some are empty', async () => {
    const place = { lat: 1 };
    for (const data of [
      { readings: { place, text: 'x', n: 1 } },
      { readings: {} },
      {},
      { readings: { place: {}, text: '":{}", a\\":{}', ',": {}': '{},{"":{}}' } },
      { readings: { n: {}, ':{}': ':{}', 'end\\': {} } },
    ]) {
      await captureAll('acme', [{ timestamp: START, data }]);
      await numbers();
    }
    await using snapshot = await lake.snapshot('acme', { recent: false });
    const { readings } = snapshot.readings.shape as { readings: object };
    const members = { ...readings, '': undefined };
    assert.deepEqual(members, {
      place: { lat: 'DOUBLE', '': 'NULL' },
      text: 'VARCHAR',
      n: 'JSON',
      '': undefined,
      ',": {}': 'VARCHAR',
      ':{}': 'VARCHAR',
      'end\\': 'JSON',
    });
  });

  it('hides deleted readings immediately, and removes them from the files later', async () => {
    await capture('acme', [1, 2]);
    await capture('acme', [3], START + DAY);
    assert.deepEqual(await numbers(), [1, 2, 3]);
    assert.equal(await deleteBefore('acme', START / DAY + 1), 2);
    assert.deepEqual(await numbers(), [3]);
    await capture('acme', [4]);
    assert.deepEqual(await numbers(), [3, 4]);
    await lake.waitUntilIdle();
    assert.deepEqual(await store.selectFrom('deleted_readings').selectAll().execute(), []);
    assert.deepEqual(await numbers(), [3, 4]);
    assert.equal((await files()).length, 2);
  });

  it('omits readings that were deleted before they were sealed', async () => {
    await capture('acme', [1]);
    await deleteBefore('acme', undefined);
    assert.deepEqual(await numbers(), []);
    await capture('acme', [2]);
    assert.deepEqual(await numbers(), [2]);
  });

  it('completes a deletion after which nothing is left to seal', async () => {
    await capture('acme', [1]);
    assert.deepEqual(await numbers(), [1]);
    await capture('acme', [2]);
    await deleteBefore('acme', undefined);
    lake.readingsDeleted('acme');
    await lake.waitUntilIdle();
    assert.deepEqual(await store.selectFrom('deleted_readings').selectAll().execute(), []);
    assert.deepEqual(await files(), []);
  });

  it('merges many files, and preserves those that are being read', async () => {
    for (let n = 0; n < 8; n++) {
      await capture('acme', [n]);
      await numbers();
    }
    const snapshot = await lake.snapshot('acme', { recent: false });
    await lake.waitUntilIdle();
    assert.equal((await store.selectFrom('lake_files').selectAll().execute()).length, 1);
    assert.deepEqual(await readNumbers(snapshot.readings), [0, 1, 2, 3, 4, 5, 6, 7]);
    await snapshot[Symbol.asyncDispose]();
    assert.deepEqual(await numbers(), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert.equal((await files()).length, 1);
  });

  it('selects recent data by the time when it was stored', async () => {
    await capture('acme', [1]);
    now += 31 * DAY;
    await capture('acme', [2]);
    assert.deepEqual(await numbers('acme', true), [2]);
    assert.deepEqual(await numbers(), [1, 2]);
  });

  it('is rebuilt if its files were deleted, and deletes the leftovers of a crash', async () => {
    await capture('acme', [1, 2]);
    await numbers();
    await lake.close();
    await rm(join(directory, 'acme'), { recursive: true });
    lake = await open();
    assert.deepEqual(await numbers(), [1, 2]);

    await lake.close();
    await store.deleteFrom('lake_files').execute();
    await store.updateTable('lake_progress').set({ sealed_through: 0 }).execute();
    lake = await open();
    assert.deepEqual(await numbers(), [1, 2]);
    assert.equal((await files()).length, 1);
  });

  it('seals again what a failed job has not sealed', async () => {
    await capture('acme', [1]);
    await lake.close();
    lake = await open({ run: () => failing(new Error('killed')) });
    await assert.rejects(lake.snapshot('acme', { recent: false }), /killed/);
    assert.deepEqual(await files(), []);
    await lake.close();
    lake = await open();
    assert.deepEqual(await numbers(), [1]);
  });

  it('ends a canceled wait for readings that are being sealed', async () => {
    await capture('acme', [1]);
    await lake.close();
    const sealing = Promise.withResolvers<undefined>();
    const released = Promise.withResolvers<undefined>();
    lake = await open({
      async *run(job, signal) {
        sealing.resolve(undefined);
        await released.promise;
        yield* runner.run(job, signal);
      },
    });
    const controller = new AbortController();
    const waiting = lake.snapshot('acme', { recent: false, signal: controller.signal });
    await sealing.promise;
    controller.abort(new Error('canceled'));
    await assert.rejects(waiting, /canceled/);
    released.resolve(undefined);
    assert.deepEqual(await numbers(), [1]);
  });

  it('ends the deletion of many readings when it is canceled', async () => {
    const count = 12_000;
    await capture(
      'acme',
      Array.from({ length: count }, (_, n) => n),
    );
    const controller = new AbortController();
    const deletion = deleteBefore('acme', undefined, controller.signal);
    setImmediate(() => controller.abort(new Error('canceled')));
    await assert.rejects(deletion, /canceled/);
    assert.ok((await numbers()).length > 0);
  });

  it('deletes what a job wrote before it failed', async () => {
    await capture('acme', [1]);
    await lake.close();
    lake = await open(failingAfterWriting('seal'));
    await assert.rejects(lake.snapshot('acme', { recent: false }), /ended too early/);
    assert.deepEqual(await files(), []);
    await lake.close();

    lake = await open(failingAfterWriting('merge'));
    for (let n = 0; n < 8; n++) {
      await capture('acme', [n]);
      await numbers();
    }
    await lake.waitUntilIdle();
    assert.equal((await files()).length, 8);
  });

  it('starts no more jobs by itself if none can run', async () => {
    await capture('acme', [1]);
    await lake.close();
    let jobs = 0;
    lake = await open({
      run: () => {
        jobs += 1;
        return failing(new ConnectError('there is no engine', Code.Unimplemented));
      },
    });
    for (let round = 0; round < 2; round += 1) {
      lake.readingsArrived('acme', 50_000);
      await lake.waitUntilIdle();
    }
    assert.equal(jobs, 1);
  });

  it('leaves the files to other nodes if this one runs no jobs', async () => {
    const logger = new RecordingLogger();
    const off = new QueryProcesses({ program: undefined, isTurnedOff: true, logger });
    await capture('acme', [1]);
    assert.deepEqual(await numbers(), [1]);
    await deleteBefore('acme', undefined);
    await lake.close();
    lake = await ReadingsLake.open({
      ...{ store, runner: off, runsJobs: false, directory, now: () => now, logger },
    });
    await capture('acme', [2]);
    lake.readingsArrived('acme', 50_000);
    lake.readingsDeleted('acme');
    await lake.waitUntilIdle();
    assert.deepEqual(logger.lines, []);
    await lake.close();
    lake = await open();
    assert.deepEqual(await numbers(), [2]);
    await lake.waitUntilIdle();
    assert.equal((await files()).length, 1);
  });

  it('deletes the files of a deleted organization', async () => {
    await capture('acme', [1]);
    await numbers();
    await store.deleteFrom('organizations').where('id', '=', 'acme').execute();
    await lake.organizationDeleted('acme');
    assert.ok(!(await readdir(directory)).includes('acme'));
  });
});

function failing(error: Error): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) };
}
