import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Code, ConnectError } from '@connectrpc/connect';
import { sql } from 'kysely';
import { ReadingsReader } from '../../../../src/service/lake/readingsReader';
import type { JobRunner } from '../../../../src/service/query/queryJob';
import { ReadingsQueries } from '../../../../src/service/query/readingsQueries';
import { QueryProcesses } from '../../../../src/service/query/queryProcesses';
import { findColdProgress } from '../../../../src/service/store/data/coldReadings';
import {
  clearSealed,
  COLD_CATALOG,
  lastReadingId,
} from '../../../../src/service/store/data/lakeManifest';
import {
  migrateToLatest,
  NewerSchemaError,
  VERSIONS,
} from '../../../../src/service/store/migrations/migrations';
import { SQLITE_SCHEMA } from '../../../../src/service/store/migrations/schemaDialect';
import type { ReadingsEnd } from '../../../../src/service/store/data/readingsPages';
import { findSetting } from '../../../../src/service/store/settings';
import { bundledProgram } from '../../../support/bundledProgram';
import {
  ColdFixture,
  DAY,
  EVERY,
  HOT_DAYS,
  ORGANIZATION,
  range,
  START,
} from '../../../support/coldFixture';
import { openQueryProcesses } from '../../../support/openQueryProcesses';
import { silentLogger } from '../../../support/silentLogger';

const STARTING_MS = 90_000;
/** More readings than leave the records in one transaction. */
const MANY = 12_000;

describe('cold readings', function () {
  this.timeout(STARTING_MS);
  let runner: QueryProcesses;
  let cold: ColdFixture;

  before(async () => {
    runner = await openQueryProcesses();
  });
  after(() => runner.close());
  beforeEach(async () => {
    cold = await ColdFixture.open(runner);
  });
  afterEach(() => cold[Symbol.asyncDispose]());

  it('are those that were stored on a day more than the limit ago, however late', async () => {
    await cold.capture([1, 2]);
    cold.now += DAY;
    await cold.capture([0, 3]);
    assert.deepEqual(await cold.numbers(), [0, 1, 2, 3]);
    cold.now = START + HOT_DAYS * DAY + 1;
    await cold.lake.moves?.poll();
    assert.equal(await cold.countRecorded(), 4);
    cold.now += DAY;
    await cold.lake.moves?.poll();
    assert.equal(await cold.countRecorded(), 2, 'the captured time does not matter');
    assert.deepEqual(await cold.numbers(), [0, 1, 2, 3]);
    cold.now += DAY;
    await cold.lake.moves?.poll();
    assert.equal(await cold.countRecorded(), 0);
    assert.deepEqual(await cold.numbers(), [0, 1, 2, 3]);
    await cold.lake.waitUntilIdle();
    const files = await cold.store.selectFrom('lake_files').select('place').execute();
    assert.deepEqual(new Set(files.map(({ place }) => place)), new Set([COLD_CATALOG]));
    await cold.capture([4]);
    assert.ok((await lastReadingId(cold.store)) > 4, 'no ID is used again');
    assert.deepEqual(await cold.numbers(), [0, 1, 2, 3, 4]);
    assert.deepEqual(cold.logger.lines, []);
  });

  it('are on the same pages as if they were in the records', async () => {
    const day = (n: number): number => n * 86_400;
    const spread = (from: number, to: number): number[] =>
      range(from, to).flatMap((n) => [day(n), day(n) + 7, day(n) + 70_000]);
    await cold.capture(spread(5, 9));
    cold.now += DAY;
    await cold.capture(spread(0, 4), 'late');
    await cold.capture(spread(3, 7));
    cold.now += 10 * DAY;
    await cold.capture(spread(4, 20), 'recent');
    const readAll = async (): Promise<unknown[]> => {
      const reader = new ReadingsReader(cold.store, cold.lake.cold);
      const pages: unknown[] = [];
      const selections = [
        { series: EVERY },
        { series: EVERY, throughId: 12 },
        { series: EVERY, throughId: 30, start: START + 2 * DAY },
        { series: EVERY, storedFrom: START + DAY },
        { series: EVERY, storedFrom: START + DAY, end: START + 6 * DAY + 8_000_000 },
        { series: { scopes: [], columns: [{ column: 'component_name', anyOf: ['late'] }] } },
      ] as const;
      for (const selection of selections) {
        for (const oldestFirst of [true, false]) {
          for (const [limit, maxBytes] of [
            [4, 1e6],
            [100, 150],
            [100, 1e6],
          ] as const) {
            let after: ReadingsEnd | undefined;
            do {
              const read = await reader.readPage(selection, {
                oldestFirst,
                after,
                limit,
                maxBytes,
              });
              pages.push(
                read.end,
                read.rows.map(({ payload, ...row }) => [row, JSON.parse(payload) as unknown]),
              );
              after = read.end;
            } while (after !== undefined);
          }
        }
      }
      return pages;
    };
    const before = await readAll();
    await cold.lake.moves?.poll();
    assert.equal(await cold.countRecorded(), 48);
    const after = await readAll();
    assert.ok(isDeepStrictEqual(after, before));
    assert.ok(before.length > 100);
  });

  it('can contain halves of surrogate pairs from an earlier version', async () => {
    const halves = String.raw`{"readings":{"n":0,"\udfff":"\ud800 \\ud800 \n 😀"}}`;
    const replaced = String.raw`{"readings":{"n":0,"�":"� \\ud800 \n 😀"}}`;
    const reading = { requestedAt: START, receivedAt: START, payload: halves };
    await cold.insert([reading], 'old');
    assert.deepEqual(await cold.numbers(), [0]);
    cold.now += (HOT_DAYS + 1) * DAY;
    await cold.lake.moves?.poll();
    assert.equal(await cold.countRecorded(), 0);
    const page = { oldestFirst: true, after: undefined, limit: 1, maxBytes: 0 };
    const { rows } = await new ReadingsReader(cold.store, cold.lake.cold).readPage(
      { series: EVERY },
      page,
    );
    assert.deepEqual(JSON.parse(rows[0]?.payload ?? ''), JSON.parse(replaced));
    assert.deepEqual(await cold.numbers(), [0]);
  });

  it('are on pages that end before a large reading in the other source', async () => {
    const large = (sizes: Record<number, number>, component: string): Promise<void> => {
      const readings = Object.entries(sizes).map(([n, size]) => ({
        requestedAt: START + Number(n) * 1_000_000,
        receivedAt: START,
        payload: JSON.stringify({ n: Number(n), text: 'x'.repeat(size) }),
      }));
      return cold.insert(readings, component);
    };
    await large({ 1: 1, 2: 900, 5: 1, 8: 900, 9: 1, 10: 1200, 12: 1 }, 'old');
    cold.now += (HOT_DAYS + 1) * DAY;
    await large({ 0: 900, 3: 1, 4: 1200, 6: 900, 7: 1, 11: 1 }, 'new');
    const readAll = async (oldestFirst: boolean): Promise<number[][]> => {
      const reader = new ReadingsReader(cold.store, cold.lake.cold);
      const pages: number[][] = [];
      let after: ReadingsEnd | undefined;
      do {
        const page = { oldestFirst, after, limit: 100, maxBytes: 1000 };
        const { rows, end } = await reader.readPage({ series: EVERY }, page);
        pages.push(rows.map(({ payload }) => (JSON.parse(payload) as { n: number }).n));
        after = end;
      } while (after !== undefined);
      return pages;
    };
    const before = [await readAll(true), await readAll(false)];
    await cold.lake.moves?.poll();
    assert.equal(await cold.countRecorded(), 6);
    assert.deepEqual([await readAll(true), await readAll(false)], before);
    assert.deepEqual(before[0]?.flat(), range(0, 13));
  });

  for (const kind of ['seal', 'read'] as const) {
    it(`remain in the records if a service ends in the job "${kind}", until it continues`, async () => {
      await cold.capture(range(0, 100));
      cold.now += 10 * DAY;
      await cold.reopen({ runner: cold.failingIn(kind) });
      await cold.lake.moves?.poll();
      assert.equal(await cold.countRecorded(), 100);
      await cold.reopen();
      assert.deepEqual(await cold.numbers(), range(0, 100));
      await cold.lake.moves?.poll();
      assert.equal(await cold.countRecorded(), 0);
      assert.deepEqual(await cold.numbers(), range(0, 100));
      await cold.lake.waitUntilIdle();
      assert.equal((await readdir(join(cold.folder, 'lake', ORGANIZATION))).length, 0);
    });
  }

  it('are each read once while only some of them have left the records', async () => {
    await cold.capture(range(0, MANY));
    await cold.numbers();
    cold.now += 10 * DAY;
    // The service ends after the first transaction that removes readings.
    await sql`create trigger stop before update of removed_through on lake_progress
      when old.removed_through > 0 begin select raise(abort, 'stopped'); end`.execute(cold.store);
    await cold.lake.moves?.poll();
    const left = await cold.countRecorded();
    assert.ok(left > 0 && left < MANY, String(left));
    assert.deepEqual(await cold.numbers(), range(0, MANY));
    await cold.capture(range(MANY, MANY + 10), 'other');
    assert.equal(await cold.remove('thermometer'), MANY, 'in files, in the records, and in both');
    assert.deepEqual(await cold.numbers(), range(MANY, MANY + 10));
    await sql`drop trigger stop`.execute(cold.store);
    await cold.reopen();
    await cold.lake.moves?.poll();
    assert.deepEqual(await cold.numbers(), range(MANY, MANY + 10));
    assert.deepEqual(await cold.listCold(), [], 'the deleted readings were removed from the files');
  });

  it('are removed from the files after their deletion', async () => {
    await cold.capture(range(0, 10));
    await cold.capture(range(10, 20), 'hygrometer');
    cold.now += 10 * DAY;
    await cold.lake.moves?.poll();
    const [before] = await cold.listCold();
    assert.equal(before?.row_count, 20);
    assert.equal(await cold.remove('hygrometer'), 10);
    assert.equal(await cold.remove('hygrometer'), 0);
    assert.deepEqual(await cold.numbers(), range(0, 10));
    cold.lake.readingsDeleted(ORGANIZATION);
    await cold.lake.waitUntilIdle();
    const [after] = await cold.listCold();
    assert.equal(after?.row_count, 10);
    const blobs = await cold.store.selectFrom('blobs').select('hash').execute();
    assert.deepEqual(
      blobs.map(({ hash }) => hash),
      [after.blob_hash],
    );
    assert.deepEqual(await cold.numbers(), range(0, 10));
    assert.equal(await cold.remove('thermometer'), 10);
    cold.lake.readingsDeleted(ORGANIZATION);
    await cold.lake.waitUntilIdle();
    assert.deepEqual(await cold.listCold(), []);
    assert.deepEqual(await cold.store.selectFrom('deleted_readings').selectAll().execute(), []);
    assert.deepEqual(await cold.store.selectFrom('blobs').select('hash').execute(), []);
    assert.deepEqual(await cold.numbers(), []);
  });

  it('keep their files if a merge of deleted readings fails or writes something else', async () => {
    await cold.capture(range(0, 10));
    await cold.capture(range(10, 20), 'hygrometer');
    cold.now += 10 * DAY;
    await cold.lake.moves?.poll();
    const before = await cold.listCold();
    await cold.remove('hygrometer');
    const wrong: JobRunner = {
      run: (job, signal) =>
        runner.run(job.kind === 'merge' ? { ...job, deletions: [], after: 3 } : job, signal),
    };
    for (const through of [cold.failingIn('merge'), wrong]) {
      await cold.reopen({ runner: through });
      await cold.lake.moves?.poll();
      assert.deepEqual(await cold.listCold(), before);
    }
    assert.match(String(cold.logger.lines.at(-1)?.fields.error), /differs from its sources/);
    await cold.reopen();
    assert.deepEqual(await cold.numbers(), range(0, 10));
    await cold.lake.moves?.poll();
    assert.equal((await cold.listCold())[0]?.row_count, 10);
    assert.deepEqual(await cold.numbers(), range(0, 10));
  });

  it('remain in the records if their files are not the same', async () => {
    await cold.capture(range(0, 10));
    cold.now += 10 * DAY;
    const changing: JobRunner = {
      async *run(job, signal) {
        // A reading changes after it was written.
        if (job.kind === 'read') {
          await sql`update readings set received_at = received_at + 1 where id = 5`.execute(
            cold.store,
          );
        }
        yield* runner.run(job, signal);
      },
    };
    await cold.reopen({ runner: changing });
    await cold.lake.moves?.poll();
    assert.equal(await cold.countRecorded(), 10);
    assert.match(String(cold.logger.lines.at(-1)?.message), /differ from the records/);
    const damage = await cold.listCold();
    const path = cold.getPath(damage[0]?.name);
    await sql`update readings set received_at = ${START + 4} where id = 5`.execute(cold.store);
    const bytes = await readFile(path);
    await writeFile(path, bytes.subarray(1));
    await cold.reopen();
    await cold.lake.moves?.poll();
    assert.equal(await cold.countRecorded(), 10, 'the file is damaged');
    await writeFile(path, bytes);
    await cold.reopen();
    await cold.lake.moves?.poll();
    assert.equal(await cold.countRecorded(), 0);
    assert.deepEqual(await cold.numbers(), range(0, 10));
  });

  for (const [damage, change] of [
    ['missing', (path: string) => rm(path)],
    ['damaged', async (path: string) => writeFile(path, (await readFile(path)).fill(0, 8, 40))],
  ] as const) {
    it(`whose file is ${damage} cause DataLoss until the file is restored, and clear nothing`, async () => {
      await cold.capture(range(0, 10));
      cold.now += 10 * DAY;
      await cold.lake.moves?.poll();
      await cold.capture(range(10, 20));
      assert.deepEqual(await cold.numbers(), range(0, 20));
      const listed = await cold.listCold();
      const path = cold.getPath(listed[0]?.name);
      const bytes = await readFile(path);
      await change(path);
      for (let start = 0; start < 2; start += 1) {
        const isExplained = (error: unknown): boolean =>
          error instanceof ConnectError &&
          error.code === Code.DataLoss &&
          /only copy: .* restore them from a backup/.test(error.message);
        await assert.rejects(cold.numbers(), isExplained);
        const queries = new ReadingsQueries(cold.lake, runner);
        const query = queries.run(
          ORGANIZATION,
          { sql: 'select 1 from readings' },
          { recent: false },
        );
        await assert.rejects(query.next(), isExplained);
        await cold.lake.moves?.poll();
        await cold.lake.waitUntilIdle();
        await cold.reopen();
      }
      assert.deepEqual(await cold.listCold(), listed);
      await writeFile(path, bytes);
      assert.deepEqual(await cold.numbers(), range(0, 20));
    });
  }

  it('are on pages of a node without the role "query", which still rejects queries', async () => {
    await cold.capture(range(0, 10));
    cold.now += 10 * DAY;
    await cold.lake.moves?.poll();
    const program = await bundledProgram('queryProcess');
    const turnedOff = new QueryProcesses({ program, isTurnedOff: true, logger: silentLogger });
    await cold.reopen({ runner: turnedOff });
    const reader = new ReadingsReader(cold.store, cold.lake.cold);
    const page = { oldestFirst: true, after: undefined, limit: 100, maxBytes: 1e6 };
    const { rows } = await reader.readPage({ series: EVERY }, page);
    assert.equal(rows.length, 10);
    const query = { sql: 'select 1 from readings' };
    const queries = new ReadingsQueries(cold.lake, turnedOff);
    await assert.rejects(
      queries.run(ORGANIZATION, query, { recent: false }).next(),
      /doesn't run them/,
    );
    await turnedOff.close();
  });

  it('are never cleared with the files of the lake, which are rebuilt without them', async () => {
    await cold.capture(range(0, 10));
    cold.now += 10 * DAY;
    await cold.lake.moves?.poll();
    await cold.capture(range(10, 20));
    assert.deepEqual(await cold.numbers(), range(0, 20));
    await rm(join(cold.folder, 'lake'), { recursive: true });
    await cold.reopen();
    assert.deepEqual(await cold.numbers(), range(0, 20));
    await assert.rejects(
      clearSealed(cold.store, { catalogId: COLD_CATALOG }),
      /must not be cleared/,
    );
  });

  it('make earlier versions reject the database, but only once there are any', async () => {
    const earlier = Object.fromEntries(
      Object.entries(VERSIONS).filter(([name]) => name < '0019-coldReadings'),
    );
    const openEarlier = () => migrateToLatest(cold.store, SQLITE_SCHEMA, earlier);
    await cold.capture(range(0, 10));
    await cold.lake.moves?.poll();
    await openEarlier();
    assert.equal(await findSetting(cold.store, 'oldest_schema'), undefined);
    cold.now += 10 * DAY;
    await cold.lake.moves?.poll();
    assert.deepEqual(await findColdProgress(cold.store, ORGANIZATION), { sealed: 10, removed: 10 });
    await assert.rejects(openEarlier(), NewerSchemaError);
    await migrateToLatest(cold.store, SQLITE_SCHEMA);
  });

  it('end with their organization', async () => {
    await cold.capture(range(0, 10));
    cold.now += 10 * DAY;
    await cold.lake.moves?.poll();
    await cold.store.deleteFrom('organizations').where('id', '=', ORGANIZATION).execute();
    await cold.reopen();
    assert.deepEqual(await cold.store.selectFrom('lake_files').selectAll().execute(), []);
    assert.deepEqual(await cold.store.selectFrom('blobs').selectAll().execute(), []);
  });
});
