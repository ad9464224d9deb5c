import assert from 'node:assert/strict';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createClient } from '@connectrpc/connect';
import { deserialize } from 'bson';
import { DataService } from '../../../src/gen/viam/app/data/v1/data_pb';
import { DataSyncService, DataType } from '../../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { blobPath } from '../../../src/service/blobs/fileBlobStore';
import { RunningService } from '../../support/runningService';
import { ServiceProgram } from '../../support/serviceProgram';
import { waitUntil } from '../../support/waitUntil';
import { newPart } from './faults/newPart';

const TIMEOUT_MS = 300_000;
const UPLOADS = 5;
const READINGS = 8000;
const TOTAL = UPLOADS * READINGS;
const TEN_DAYS_US = 10 * 86_400_000_000;
const MOVE = ['--hot-readings-days', '1'];

describe('a service that is killed while it moves old readings', function () {
  this.timeout(TIMEOUT_MS);
  let program: ServiceProgram;
  let data: string;

  before(async () => {
    program = await ServiceProgram.build();
  });
  beforeEach(() => {
    data = program.path();
  });
  afterEach(() => program.end());
  after(() => program[Symbol.asyncDispose]());

  const serve = (directory: string, ...options: string[]): Promise<RunningService> =>
    RunningService.of(program.serve('--data', directory, ...options));

  function read(query: string): Record<string, unknown> {
    using database = new DatabaseSync(join(data, 'fleet.db'), { timeout: 5000 });
    return database.prepare(query).get() ?? {};
  }
  const countColdFiles = (): number =>
    Number(read("select count(*) as count from lake_files where place = 'cold'").count);
  /** Returns the last ID that was removed from the records. */
  const readRemoved = (): number =>
    Number(read("select max(removed_through) as id from lake_progress where place = 'cold'").id);
  const countRecorded = (): number => Number(read('select count(*) as count from readings').count);

  /** Stores readings that then appear to have been stored ten days ago. */
  async function storeOldReadings(): Promise<void> {
    const service = await serve(data);
    const partId = await newPart(service);
    const sync = createClient(DataSyncService, service.transport);
    for (let upload = 0; upload < UPLOADS; upload += 1) {
      await sync.dataCaptureUpload({
        metadata: {
          partId,
          componentType: 'rdk:component:sensor',
          componentName: 'thermometer',
          methodName: 'Readings',
          type: DataType.TABULAR_SENSOR,
        },
        sensorContents: Array.from({ length: READINGS }, (_, index) => ({
          data: { case: 'struct', value: { n: upload * READINGS + index } },
        })),
      });
    }
    await service.stop();
    using database = new DatabaseSync(join(data, 'fleet.db'));
    database.prepare('update readings set synced_at = synced_at - ?').run(TEN_DAYS_US);
  }

  /** Asserts that pages, counts, and queries have every reading exactly once. */
  async function assertComplete({ transport, key }: RunningService): Promise<void> {
    const client = createClient(DataService, transport);
    const { rawData } = await client.tabularDataBySQL({
      organizationId: key.organizationId,
      sqlQuery: 'select count(*) as rows, count(distinct data.n) as numbers from readings',
    });
    const { rows, numbers } = deserialize(rawData[0] ?? new Uint8Array());
    assert.deepEqual([Number(rows), Number(numbers)], [TOTAL, TOTAL]);
    const { count } = await client.tabularDataByFilter({ countOnly: true });
    assert.equal(count, BigInt(TOTAL));
    const found = new Set<number>();
    let last = '';
    for (;;) {
      const page = await client.tabularDataByFilter({ dataRequest: { limit: 10_000n, last } });
      if (page.data.length === 0) break;
      for (const row of page.data) {
        const n = Number(row.data?.n);
        assert.ok(!found.has(n), `reading ${String(n)} is there twice`);
        found.add(n);
      }
      ({ last } = page);
    }
    assert.equal(found.size, TOTAL);
  }

  it('loses and duplicates nothing, continues after the next start, and can be moved to another path', async () => {
    await storeOldReadings();
    const states: (() => boolean)[] = [() => countColdFiles() > 0, () => readRemoved() > TOTAL / 2];
    for (const isReached of states) {
      const moving = await serve(data, ...MOVE);
      await waitUntil(isReached);
      await moving.kill();
      const after = await serve(data);
      await assertComplete(after);
      await after.stop();
    }
    const last = await serve(data, ...MOVE);
    await waitUntil(() => countRecorded() === 0);
    await assertComplete(last);
    await last.stop();
    const moved = program.path();
    renameSync(data, moved);
    const next = await serve(moved, ...MOVE);
    await assertComplete(next);
    await next.stop();
    assert.equal((await program.run('verify', '--data', moved).ended).exitCode, 0);
  });

  it('can be restored from a backup, which has the files that are the only copy', async () => {
    await storeOldReadings();
    const service = await serve(data, ...MOVE);
    await waitUntil(() => countRecorded() === 0);
    const backup = program.path();
    const { exitCode, stderr } = await program.run(
      'backup',
      '--data',
      data,
      '--to',
      backup,
      '--include-secrets-key',
    ).ended;
    assert.equal(exitCode, 0, stderr);
    await service.stop();
    assert.equal((await program.run('verify', '--data', data).ended).exitCode, 0);
    const { name } = read("select name from lake_files where place = 'cold'");
    rmSync(join(data, 'blobs', blobPath(String(name))));
    const damaged = await program.run('verify', '--data', data).ended;
    assert.equal(damaged.exitCode, 1);
    assert.match(
      damaged.stdout + damaged.stderr,
      /missing .*old readings of organization .*only copy/,
    );
    const restored = program.path();
    const restoring = await program.run('restore', '--from', backup, '--data', restored).ended;
    assert.equal(restoring.exitCode, 0, restoring.stderr);
    const next = await serve(restored);
    await assertComplete(next);
    await next.stop();
  });
});
