import assert from 'node:assert/strict';
import { FleetError } from '../../../../src/core/api/errors';
import { QueryRuns } from '../../../../src/core/query/queryRuns';
import type { QuerySource } from '../../../../src/core/query/querySource';
import type { SpoolFactory } from '../../../../src/core/query/results/rowStore';
import { createBatch, MemorySpools, query, createQuerySource } from './results/rows';

const bounds = { rows: 5, bytes: 10_000 };

/** Returns a source that provides rows on demand and records whether it was stopped. */
function steered(): QuerySource & {
  yieldRows: (rows: readonly object[]) => void;
  isStopped: () => boolean;
} {
  let next = Promise.withResolvers<readonly object[]>();
  let isStopped = false;
  return {
    yieldRows: (rows) => next.resolve(rows),
    isStopped: () => isStopped,
    async *run(_, signal) {
      signal.addEventListener('abort', () => next.reject(signal.reason as Error));
      try {
        for (;;) {
          const rows = await next.promise;
          next = Promise.withResolvers();
          yield createBatch(rows);
        }
      } finally {
        isStopped = true;
      }
    },
  };
}

describe('a running query', () => {
  let spools: MemorySpools;
  let runs: QueryRuns;
  let now: number;

  beforeEach(() => {
    spools = new MemorySpools();
    now = 100;
    runs = new QueryRuns(spools, { maxRuns: 2, bounds, ticks: () => now });
  });

  afterEach(() => {
    runs.dispose();
  });

  it('is complete when all rows arrived, and records the time', async () => {
    const source = steered();
    const run = runs.start(query, source);
    assert.equal(run.status.state, 'waiting');
    assert.equal(runs.get(run.id), run);
    now = 130;
    const changed = Promise.withResolvers<undefined>();
    run.onDidChange(() => changed.resolve(undefined));
    source.yieldRows([{ a: 1 }, { a: 2 }]);
    await changed.promise;
    const { state, rows, firstRowMs, columns, bytes } = run.status;
    assert.deepEqual(
      { state, rows, firstRowMs, columns, bytes },
      {
        state: 'running',
        rows: 2,
        firstRowMs: 30,
        columns: 1,
        bytes: 24,
      },
    );
    now = 150;
    run.cancel();
    await run.ended;
    now = 999;
    assert.deepEqual(
      [run.status.state, run.status.rows, run.status.elapsedMs],
      ['canceled', 2, 50],
    );
  });

  it('reports the rows that it had stored when it was canceled', async () => {
    const storing = Promise.withResolvers<undefined>();
    const begun = Promise.withResolvers<undefined>();
    const slow: SpoolFactory = {
      create: async () => {
        const spool = await spools.create();
        const append = async (bytes: Uint8Array): Promise<void> => {
          begun.resolve(undefined);
          await storing.promise;
          await spool.append(bytes);
        };
        return { ...spool, append };
      },
    };
    const slowRuns = new QueryRuns(slow, { bounds });
    const run = slowRuns.start(query, createQuerySource([{ a: 1 }, { a: 2 }]));
    await begun.promise;
    run.cancel();
    const reportedRows = Promise.withResolvers<number>();
    run.onDidChange(() => reportedRows.resolve(run.status.rows));
    storing.resolve(undefined);
    assert.equal(await reportedRows.promise, 2);
    assert.equal(run.status.state, 'canceled');
    slowRuns.dispose();
  });

  it('is full when more rows arrive than it retains, and complete with exactly as many', async () => {
    const five = [1, 2, 3, 4, 5].map((a) => ({ a }));
    const exact = runs.start(query, createQuerySource(five));
    await exact.ended;
    assert.deepEqual([exact.status.state, exact.status.rows], ['complete', 5]);
    const more = runs.start(query, createQuerySource(five.slice(0, 3), five, five));
    await more.ended;
    assert.deepEqual([more.status.state, more.status.rows], ['full', 5]);
    const wide = runs.start(
      query,
      createQuerySource([{ a: 'x'.repeat(6_000) }, { a: 'x'.repeat(6_000) }]),
    );
    await wide.ended;
    assert.deepEqual([wide.status.state, wide.status.rows], ['full', 1]);
  });

  it('fails with the error of the source, and retains earlier rows', async () => {
    const source: QuerySource = {
      async *run() {
        yield await Promise.resolve(createBatch([{ a: 1 }]));
        throw new FleetError('unavailable', 'The service failed.');
      },
    };
    const run = runs.start(query, source);
    await run.ended;
    assert.equal(run.status.state, 'failed');
    assert.deepEqual([run.status.rows, run.status.error?.message], [1, 'The service failed.']);
  });

  it('fails if it receives something other than a row', async () => {
    const source: QuerySource = {
      async *run() {
        yield await Promise.resolve([Uint8Array.of(9, 0, 0, 0, 0x7e, 0x61, 0, 1, 0)]);
      },
    };
    const run = runs.start(query, source);
    await run.ended;
    assert.match(run.status.error?.message ?? '', /not valid BSON/);
  });

  it('is canceled at the source when it has no users', async () => {
    const source = steered();
    const run = runs.start(query, source);
    run.dispose();
    await run.ended;
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(source.isStopped());
    assert.equal(runs.get(run.id), undefined);
  });

  it('evicts the oldest run, and leaves no file', async () => {
    const all = [1, 2, 3].map((a) => runs.start(query, createQuerySource([{ a }])));
    await Promise.all(all.map(({ ended }) => ended));
    assert.deepEqual(
      all.map(({ id }) => runs.get(id) !== undefined),
      [false, true, true],
    );
    runs.dispose();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(spools.open, 0);
  });
});
