import assert from 'node:assert/strict';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FileBlobStore } from '../../../../src/service/blobs/fileBlobStore';
import { ReadingsReader } from '../../../../src/service/lake/readingsReader';
import type { JobRunner } from '../../../../src/service/query/queryJob';
import type { QueryProcesses } from '../../../../src/service/query/queryProcesses';
import type { LakeFileRow } from '../../../../src/service/store/data/dataSchema';
import { COLD_CATALOG, lastReadingId } from '../../../../src/service/store/data/lakeManifest';
import type { ReadingsEnd } from '../../../../src/service/store/data/readingsPages';
import { openQueryProcesses } from '../../../support/openQueryProcesses';
import {
  ColdFixture,
  DAY,
  EVERY,
  HOT_DAYS,
  ORGANIZATION,
  range,
} from '../../../support/coldFixture';

const TIMEOUT_MS = 90_000;
const YEAR = 365 * DAY;
/** More readings than leave the records in one transaction. */
const MANY = 12_000;
const BATCH = 5000;
const SECONDS_PER_DAY = 86_400;

describe('moves of cold readings', function () {
  this.timeout(TIMEOUT_MS);
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

  const poll = async (): Promise<void> => {
    await cold.lake.moves?.poll();
  };
  const lastLine = (): string => String(cold.logger.lines.at(-1)?.message);
  const measure = () => cold.lake.moves?.measure() ?? assert.fail('there are no moves');

  /** Changes bytes of a file without changing its size. */
  async function damage(path: string): Promise<void> {
    await writeFile(path, (await readFile(path)).fill(0, 8, 40));
  }

  /** Returns a merged file that nothing reads yet. */
  const findPending = (): Promise<LakeFileRow | undefined> =>
    cold.store
      .selectFrom('lake_files')
      .selectAll()
      .where('place', '<>', COLD_CATALOG)
      .executeTakeFirst();

  it('continue after the lease of a service that crashed while the clock was ahead', async () => {
    await cold.capture(range(0, 10));
    cold.now += 10 * DAY;
    const expiresAt = Date.now() + YEAR / 1000;
    for (const task of ['seal', 'merge'] as const) {
      await cold.store
        .insertInto('lake_leases')
        .values({
          place: COLD_CATALOG,
          organization_id: ORGANIZATION,
          task,
          token: 7,
          expires_at: expiresAt,
        })
        .execute();
    }
    await poll();
    assert.equal(await cold.countRecorded(), 0);
    assert.deepEqual(await cold.numbers(), range(0, 10));
  });

  it('include readings that were stored while the clock was ahead, when later ones are old', async () => {
    await cold.capture([0]);
    cold.now += YEAR;
    await cold.capture([1, 2]);
    cold.now -= YEAR;
    await cold.capture([3]);
    cold.now += YEAR;
    await cold.capture([4]);
    cold.now -= YEAR;
    await poll();
    assert.equal(await cold.countRecorded(), 5, 'none is old');
    cold.now += (HOT_DAYS + 1) * DAY;
    await cold.capture([5]);
    await poll();
    assert.equal(await cold.countRecorded(), 2, 'the last one might be recent');
    assert.deepEqual(await cold.numbers(), range(0, 6));
    const [line, ...others] = cold.logger.lines;
    assert.match(String(line?.message), /the clock was ahead .*check the clock/);
    assert.deepEqual(line?.fields, { organizationId: ORGANIZATION, readings: 3 });
    assert.deepEqual(others, []);
    cold.now += (HOT_DAYS + 1) * DAY;
    await poll();
    assert.equal(await cold.countRecorded(), 0);
    assert.deepEqual(await cold.numbers(), range(0, 6));
  });

  it('retain readings whose file was damaged after it was compared with them', async () => {
    await cold.capture(range(0, 10));
    cold.now += 10 * DAY;
    let isDamaged = false;
    await cold.reopen({
      runner: cold.after('read', async () => {
        if (isDamaged) return;
        isDamaged = true;
        const [file] = await cold.listCold();
        await damage(cold.getPath(file?.name));
      }),
    });
    await poll();
    assert.ok(isDamaged);
    assert.equal(await cold.countRecorded(), 10);
    assert.match(lastLine(), /missing or damaged, so their readings were retained/);
    assert.equal((await measure()).failedMoves, 1);
    await cold.reopen();
    assert.deepEqual(await cold.numbers(), range(0, 10));
  });

  it('retain readings whose file was damaged after others in it left the records', async () => {
    await cold.capture(range(0, MANY));
    cold.now += 10 * DAY;
    const { blobs } = cold;
    let saved = Buffer.of();
    let path = '';
    blobs.findUndamaged = async (blob) => {
      if (path === '' && (await cold.countRecorded()) < MANY) {
        path = cold.getPath(blob.hash);
        saved = await readFile(path);
        await damage(path);
      }
      return FileBlobStore.prototype.findUndamaged.call(blobs, blob);
    };
    await poll();
    assert.equal(await cold.countRecorded(), MANY - BATCH);
    assert.match(lastLine(), /missing or damaged, so their readings were retained/);
    await writeFile(path, saved);
    await cold.reopen();
    await poll();
    assert.equal(await cold.countRecorded(), 0);
    assert.deepEqual(await cold.numbers(), range(0, MANY));
  });

  it('compare files again that another service has replaced', async () => {
    await cold.capture(range(0, 10));
    cold.now += 10 * DAY;
    let compared = 0;
    await cold.reopen({
      runner: cold.after('read', async () => {
        compared += 1;
        // A file that wasn't compared appears, like one that another service has merged.
        const [file] = await cold.listCold();
        if (compared > 1 || file === undefined) return;
        await cold.store
          .insertInto('lake_files')
          .values({ ...file, name: 'other' })
          .execute();
      }),
    });
    await poll();
    assert.equal(await cold.countRecorded(), 10);
    await cold.store.deleteFrom('lake_files').where('name', '=', 'other').execute();
    await poll();
    assert.equal(await cold.countRecorded(), 0);
  });

  it('keep the sources of a merged file that can not be read back', async () => {
    await cold.capture(range(0, 10));
    await cold.capture(range(10, 20), 'hygrometer');
    cold.now += 10 * DAY;
    await poll();
    const before = await cold.listCold();
    await cold.remove('hygrometer');
    const { blobs } = cold;
    blobs.receive = async (chunks) => {
      const incoming = await FileBlobStore.prototype.receive.call(blobs, chunks);
      return {
        ...incoming,
        commit: async () => {
          await incoming.commit();
          await damage(cold.getPath(incoming.hash));
        },
        [Symbol.asyncDispose]: () => incoming[Symbol.asyncDispose](),
      };
    };
    await poll();
    assert.deepEqual(await cold.listCold(), before);
    assert.match(String(cold.logger.lines.at(-1)?.fields.error), /could not be read back/);
    const files = await cold.store.selectFrom('lake_files').selectAll().execute();
    assert.deepEqual(files, before, 'no other file is listed');
    const stored = await cold.store.selectFrom('blobs').select('hash').execute();
    assert.deepEqual(
      stored.map(({ hash }) => hash),
      before.map(({ name }) => name),
    );
    await cold.reopen();
    await poll();
    assert.deepEqual(await cold.numbers(), range(0, 10));
    assert.equal((await cold.listCold())[0]?.row_count, 10);
  });

  it('clear a merged file that was stored before a crash', async () => {
    await cold.capture(range(0, 10));
    await cold.capture(range(10, 20), 'hygrometer');
    cold.now += 10 * DAY;
    await poll();
    await cold.remove('hygrometer');
    let pending: LakeFileRow | undefined;
    await cold.reopen({
      runner: cold.before('read', async () => {
        pending = await findPending();
        throw new Error('the job failed');
      }),
    });
    await poll();
    assert.equal(pending?.row_count, 10);
    // A crash would have prevented the removal from the list.
    await cold.store
      .insertInto('lake_files')
      .values({ ...pending, name: 'left behind' })
      .execute();
    await cold.reopen();
    assert.deepEqual(await cold.numbers(), range(0, 10));
    await poll();
    assert.deepEqual(await cold.numbers(), range(0, 10));
    const files = await cold.store
      .selectFrom('lake_files')
      .select(['place', 'row_count'])
      .execute();
    assert.deepEqual(
      files.map(({ place, row_count: rows }) => [place, rows]),
      [[COLD_CATALOG, 10]],
    );
  });

  for (const [event, isRetained, change] of [
    [
      'has lost its lease during a merge leaves the files of the next holder',
      true,
      (name: string) =>
        cold.store
          .updateTable('lake_leases')
          .set({ token: 99 })
          .where('task', '=', 'merge')
          .execute()
          .then(() => assert.fail(`failed after another service stored ${name}`)),
    ],
    [
      'finds that its merged file was cleared from the list retains the sources',
      false,
      (name: string) => cold.store.deleteFrom('lake_files').where('name', '=', name).execute(),
    ],
  ] as const) {
    it(`of a service that ${event}`, async () => {
      await cold.capture(range(0, 10));
      await cold.capture(range(10, 20), 'hygrometer');
      cold.now += 10 * DAY;
      await poll();
      const sources = await cold.listCold();
      await cold.remove('hygrometer');
      let merged: LakeFileRow | undefined;
      await cold.reopen({
        runner: cold.before('read', async () => {
          if (merged !== undefined) return;
          merged = await findPending();
          await change(merged?.name ?? assert.fail('no file is listed'));
        }),
      });
      await poll();
      assert.deepEqual(await cold.listCold(), sources);
      const listed = await cold.store.selectFrom('lake_files').select('name').execute();
      const isListed = listed.some(({ name }) => name === merged?.name);
      assert.equal(isListed, isRetained);
      assert.ok(merged);
      if (isListed) await stat(cold.getPath(merged.name));
      await cold.store.updateTable('lake_leases').set({ expires_at: 0 }).execute();
      await cold.reopen();
      await poll();
      assert.deepEqual(await cold.numbers(), range(0, 10));
      const [file] = await cold.listCold();
      assert.equal(file?.row_count, 10);
      assert.equal((await cold.store.selectFrom('lake_files').select('name').execute()).length, 1);
    });
  }

  for (const [problem, fill] of [
    [
      'the reserve of the disk is in use',
      () => cold.reopen({ requireRoom: () => Promise.reject(new Error('the disk is full')) }),
    ],
    [
      'the disk is full',
      () => {
        cold.blobs.receive = () =>
          Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
        return Promise.resolve();
      },
    ],
  ] as const) {
    it(`leave nothing behind and continue later if ${problem}`, async () => {
      await cold.capture(range(0, 10));
      cold.now += 10 * DAY;
      await fill();
      await poll();
      assert.equal(lastLine(), 'old readings could not be moved');
      assert.equal(await cold.countRecorded(), 10);
      assert.deepEqual(await cold.listCold(), []);
      const folder = join(cold.folder, 'lake', ORGANIZATION);
      assert.deepEqual(await readdir(folder).catch(() => []), []);
      await cold.reopen();
      await poll();
      assert.equal(await cold.countRecorded(), 0);
      assert.deepEqual(await cold.numbers(), range(0, 10));
    });
  }

  it('do not depend on the folder, which can be moved while the service is stopped', async () => {
    await cold.capture(range(0, 10));
    cold.now += 10 * DAY;
    await poll();
    await cold.capture(range(10, 20));
    await cold.moveFolder();
    assert.deepEqual(await cold.numbers(), range(0, 20));
    cold.now += 10 * DAY;
    await poll();
    assert.equal(await cold.countRecorded(), 0);
    assert.deepEqual(await cold.numbers(), range(0, 20));
  });

  it('do not change an export in progress', async () => {
    await cold.capture(range(0, MANY));
    cold.now += 10 * DAY;
    const throughId = await lastReadingId(cold.store);
    await cold.capture(range(MANY, MANY + 10));
    const reader = new ReadingsReader(cold.store, cold.lake.cold);
    const numbers: number[] = [];
    let after: ReadingsEnd | undefined;
    let moving: Promise<void> | undefined;
    do {
      const page = { oldestFirst: true, after, limit: 1000, maxBytes: 4 * 1024 * 1024 };
      const { rows, end } = await reader.readPage({ series: EVERY, throughId }, page);
      for (const { payload } of rows) {
        numbers.push((JSON.parse(payload) as { readings: { n: number } }).readings.n);
      }
      after = end;
      moving ??= poll();
    } while (after !== undefined);
    await moving;
    assert.ok(numbers.length === MANY && numbers.every((n, index) => n === index));
    assert.equal(await cold.countRecorded(), 10);
  });

  it('are measured', async () => {
    await cold.capture(range(0, 10));
    cold.now += (HOT_DAYS + 0.5) * DAY;
    const none = { files: 0, bytes: 0, movedRows: 0, failedMoves: 0, oldestDueSeconds: 0 };
    assert.deepEqual(await measure(), none);
    cold.now += DAY;
    const oldestDueSeconds = (HOT_DAYS + 1.5) * SECONDS_PER_DAY;
    assert.deepEqual(await measure(), { ...none, oldestDueSeconds });
    await poll();
    const [file] = await cold.listCold();
    assert.deepEqual(await measure(), {
      ...none,
      files: 1,
      bytes: file?.byte_count,
      movedRows: 10,
    });
  });

  it('let pages and counts open only files of days on which the series has readings', async () => {
    for (const day of range(0, 10)) await cold.capture([day * SECONDS_PER_DAY]);
    await cold.capture([3 * SECONDS_PER_DAY + 1], 'hygrometer');
    cold.now += 10 * DAY;
    const opened: number[] = [];
    const counting: JobRunner = {
      run(job, signal) {
        if (job.kind === 'read') opened.push(job.cold.files.length);
        return runner.run(job, signal);
      },
    };
    await poll();
    assert.equal((await cold.listCold()).length, 10);
    await cold.reopen({ runner: counting });
    const reader = new ReadingsReader(cold.store, cold.lake.cold);
    const page = { oldestFirst: true, after: undefined, limit: 100, maxBytes: 1e6 };
    const read = async (component: string): Promise<number> => {
      const columns = [{ column: 'component_name' as const, anyOf: [component] }];
      return (await reader.readPage({ series: { scopes: [], columns } }, page)).rows.length;
    };
    assert.equal(await read('thermometer'), 10);
    assert.equal(await read('hygrometer'), 1);
    assert.equal(await read('barometer'), 0);
    await cold.remove('hygrometer');
    assert.equal(await read('hygrometer'), 0);
    assert.deepEqual(opened, [10, 1]);
  });
});
