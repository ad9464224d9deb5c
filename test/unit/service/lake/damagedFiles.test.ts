import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Code, ConnectError } from '@connectrpc/connect';
import { deserialize, serialize } from 'bson';
import { ReadingsLake } from '../../../../src/service/lake/readingsLake';
import type { QueryProcesses } from '../../../../src/service/query/queryProcesses';
import { ReadingsQueries, type ReadingsQuery } from '../../../../src/service/query/readingsQueries';
import { insertReadings } from '../../../../src/service/handlers/data/uploads';
import { openSqliteStore } from '../../../../src/service/store/openStore';
import type { Store } from '../../../../src/service/store/store';
import { openQueryProcesses } from '../../../support/openQueryProcesses';
import { organizationRow, seriesRow } from '../../../support/lakeRows';
import { RecordingLogger } from '../../../support/recordingLogger';

const DAY = 86_400_000_000;
const START = Date.UTC(2026, 0, 1) * 1000;
const TIMEOUT_MS = 120_000;
const SQL = { sql: 'select data.readings.n as n from readings order by n' };
const PIPELINE = {
  stages: [serialize({ $project: { n: '$data.readings.n' } }), serialize({ $sort: { n: 1 } })],
};

describe('queries over damaged files of readings', function () {
  this.timeout(TIMEOUT_MS);
  let runner: QueryProcesses;
  let store: Store;
  let directory: string;
  let lake: ReadingsLake;
  let queries: ReadingsQueries;
  let logger: RecordingLogger;

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
    logger = new RecordingLogger();
    await open();
    for (const [organizationId, day] of [
      ['acme', 0],
      ['acme', 1],
      ['other', 0],
    ] as const) {
      await capture(organizationId, day);
    }
    assert.deepEqual(await numbers('acme'), [0, 1]);
    assert.deepEqual(await numbers('other'), [0]);
  });
  afterEach(async () => {
    await lake.close();
    await store.destroy();
    await rm(directory, { recursive: true });
  });

  const open = async (): Promise<void> => {
    const now = (): number => START + 40 * DAY;
    lake = await ReadingsLake.open({ store, runner, directory, now, logger });
    queries = new ReadingsQueries(lake, runner);
  };

  const capture = async (organizationId: string, day: number): Promise<void> => {
    const timestamp = START + day * DAY;
    const payload = JSON.stringify({ readings: { n: day, text: 'x'.repeat(1000) } });
    await store
      .transaction()
      .execute((transaction) =>
        insertReadings(
          transaction,
          seriesRow(organizationId),
          [{ requestedAt: timestamp, receivedAt: timestamp, payload }],
          timestamp,
        ),
      );
  };

  const numbers = async (organizationId: string, query: ReadingsQuery = SQL): Promise<number[]> => {
    const found: number[] = [];
    for await (const document of queries.run(organizationId, query, { recent: false })) {
      found.push(Number(deserialize(document).n));
    }
    return found;
  };

  const firstFile = async (organizationId = 'acme'): Promise<{ name: string; path: string }> => {
    const [name = ''] = (await readdir(join(directory, organizationId))).toSorted();
    return { name, path: join(directory, organizationId, name) };
  };

  const damages: Readonly<Record<string, (path: string) => Promise<void>>> = {
    'a file of 0 bytes': (path) => truncate(path, 0),
    'a missing file': (path) => rm(path),
    'a truncated file': async (path) => truncate(path, (await readFile(path)).length - 20),
    'a file with other bytes at its start': async (path) => {
      const bytes = await readFile(path);
      await writeFile(path, bytes.fill(0xff, 0, Math.floor(bytes.length / 3)));
    },
    'a file of other bytes': async (path) => writeFile(path, (await readFile(path)).fill(0)),
  };
  const warned = (name: string, organizationId = 'acme'): void => {
    const lines = logger.lines.filter(({ message }) => message.includes('rebuilt'));
    assert.deepEqual(
      lines.map(({ level, fields }) => [level, fields]),
      [['warn', { organizationId, files: name, count: 1 }]],
    );
  };

  for (const [damage, apply] of Object.entries(damages)) {
    it(`rebuild ${damage} and name it in the log`, async () => {
      const { name, path } = await firstFile();
      await apply(path);
      assert.deepEqual(await numbers('acme'), [0, 1]);
      warned(name);
      assert.deepEqual(await numbers('acme'), [0, 1]);
      assert.deepEqual(await numbers('other'), [0]);
      await lake.waitUntilIdle();
      assert.equal(logger.lines.length, 1, JSON.stringify(logger.lines));
    });
  }

  it('rebuild a damaged file for a pipeline', async () => {
    const { name, path } = await firstFile();
    await truncate(path, 0);
    assert.deepEqual(await numbers('acme', PIPELINE), [0, 1]);
    warned(name);
  });

  it('read a file of another size that ReadingsLake.open has rebuilt', async () => {
    await lake.close();
    const { name, path } = await firstFile();
    await truncate(path, 0);
    await open();
    warned(name);
    assert.deepEqual(await numbers('acme'), [0, 1]);
    assert.deepEqual(await numbers('other'), [0]);
  });

  it('fail with InvalidArgument if only the query mentions damage', async () => {
    for (const sql of [
      'select decompress(1) from readings',
      "select 'magic bytes'::int from readings",
      "select error('No magic bytes found') from readings",
    ]) {
      await assert.rejects(
        numbers('acme', { sql }),
        (error) => ConnectError.from(error).code === Code.InvalidArgument,
        sql,
      );
    }
    assert.deepEqual(logger.lines, []);
  });
});
