import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Code, ConnectError } from '@connectrpc/connect';
import { deserialize, serialize } from 'bson';
import { frameBytes, jobMessageBytes } from '../../../../src/service/query/jobMessages';
import type { JobRunner } from '../../../../src/service/query/queryJob';
import { type QueryLimits, QueryProcesses } from '../../../../src/service/query/queryProcesses';
import { bundledProgram } from '../../../support/bundledProgram';
import { ParquetFolder } from '../../../support/parquetFolder';
import { queryRows } from '../../../support/queryRows';
import { RecordingLogger } from '../../../support/recordingLogger';
import { silentLogger } from '../../../support/silentLogger';
import { waitUntil } from '../../../support/waitUntil';

const MIB = 1024 * 1024;
/** Timeout that only prevents the tests from hanging. */
const STARTING_MS = 300_000;
/** More than a process sends before its first result. */
const READY_BYTES = 1024;
/**
 * A query that returns rows and then runs without results until it is stopped. The rows are enough
 * to fill the buffers of the engine, which holds fewer back.
 */
const ENDLESS = `SELECT range AS n FROM range(1000000000000)
  WHERE range < 300000 OR hash(range) = 1`;

describe('query processes', function () {
  this.timeout(STARTING_MS);
  let folder: ParquetFolder;
  let processes: QueryProcesses;

  before(() => {
    folder = new ParquetFolder();
  });

  after(() => folder[Symbol.dispose]());

  afterEach(() => processes.close());

  async function open(limits?: Partial<QueryLimits>): Promise<QueryProcesses> {
    processes = new QueryProcesses({
      program: await bundledProgram('queryProcess'),
      limits,
      logger: silentLogger,
    });
    return processes;
  }

  const run = (runner: JobRunner, sql: string, signal?: AbortSignal, directory = folder) =>
    runner.run({ kind: 'sql', sql, readings: directory.readings() }, signal);

  /** Starts an endless query, and waits until a process runs it. Resolves with its error code. */
  async function startEndless(
    runner: QueryProcesses,
    signal?: AbortSignal,
  ): Promise<{ failing: Promise<Code> }> {
    const documents = run(runner, ENDLESS, signal);
    const { done } = await documents[Symbol.asyncIterator]().next();
    assert.ok(!done);
    return { failing: getErrorCode(documents) };
  }

  async function getErrorCode(documents: AsyncIterable<Uint8Array>): Promise<Code> {
    const failure = await queryRows(documents).then(
      () => assert.fail('the job did not fail'),
      (error: unknown) => error,
    );
    return ConnectError.from(failure).code;
  }

  it('run one job after the other in the same process', async () => {
    const runner = await open();
    assert.deepEqual(await queryRows(run(runner, 'SELECT 1 AS x')), [{ x: 1 }]);
    const [pid] = runner.processIds;
    assert.equal(await getErrorCode(run(runner, 'SELECT nothing')), Code.InvalidArgument);
    assert.deepEqual(await queryRows(run(runner, 'SELECT 2 AS x')), [{ x: 2 }]);
    assert.deepEqual(runner.processIds, [pid]);
  });

  it('have no access to the environment of the service', async () => {
    process.env.FLEETWRIGHT_TEST_SECRET = 'hidden';
    const runner = await open();
    await queryRows(run(runner, 'SELECT 1'));
    const [pid] = runner.processIds;
    delete process.env.FLEETWRIGHT_TEST_SECRET;
    assert.ok(pid);
    if (process.platform === 'linux') {
      assert.ok(!(await readFile(`/proc/${String(pid)}/environ`, 'utf8')).includes('hidden'));
    }
  });

  it('stream large results, and produce no more rows than are read', async () => {
    const runner = await open();
    const sql = `SELECT range AS n, repeat('x', 1000) AS text FROM range(1000000)`;
    let count = 0;
    let pid = 0;
    for await (const document of run(runner, sql)) {
      assert.equal(deserialize(document).n, count);
      count += 1;
      [pid = 0] = runner.processIds;
      if (count === 1000) break;
    }
    assert.ok(pid > 0 && !isAlive(pid));
  });

  it('are ended when the caller cancels', async () => {
    const runner = await open();
    await queryRows(run(runner, 'SELECT 1'));
    const caller = new AbortController();
    const { failing } = await startEndless(runner, caller.signal);
    const [busy] = runner.processIds;
    caller.abort(new ConnectError('the caller disconnected', Code.Canceled));
    assert.equal(await failing, Code.Canceled);
    assert.ok(busy !== undefined && !isAlive(busy));
    await waitUntil(() => !runner.processIds.includes(busy));
  });

  it('end a query that takes too long', async () => {
    // The limit is long enough for the last query, even while other tests run.
    const runner = await open({ seconds: 1.5 });
    assert.equal(await getErrorCode(run(runner, ENDLESS)), Code.DeadlineExceeded);
    const recursion =
      'WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t';
    assert.equal(await getErrorCode(run(runner, recursion)), Code.DeadlineExceeded);
    assert.deepEqual(await queryRows(run(runner, 'SELECT 1 AS x')), [{ x: 1 }]);
  });

  it('end a query that uses too much memory, regardless of who measures it', async () => {
    const runner = await open({ memoryBytes: 64 * MIB });
    for (const sql of [
      'SELECT count(*) FROM (SELECT DISTINCT hash(range), range FROM range(100000000))',
      "SELECT list(repeat('x', 1000000) || range) AS many FROM range(10000)",
    ]) {
      assert.equal(await getErrorCode(run(runner, sql)), Code.ResourceExhausted, sql);
    }
    assert.deepEqual(await queryRows(run(runner, 'SELECT 1 AS x')), [{ x: 1 }]);
  });

  it('end a pipeline that joins more than fits into memory', async () => {
    using many = new ParquetFolder();
    await many.copy(`SELECT range AS id, 1 AS series_id, make_timestamp(range) AS moment,
      '{"n": ' || range || '}' AS data FROM range(30000)`);
    const runner = await open({ memoryBytes: 64 * MIB, seconds: 300 });
    const all = { from: 'readings', as: 'all', pipeline: [{ $set: { x: '$$n' } }] };
    const own = { ...all, let: { n: '$data.n' }, as: 'own' };
    for (const stages of [
      [{ $lookup: { ...all, pipeline: [] } }, { $group: { _id: null, all: { $push: '$all' } } }],
      [{ $lookup: own }, { $group: { _id: null, all: { $push: '$own' } } }],
      [{ $facet: { a: [], b: [{ $unionWith: 'readings' }, { $unionWith: 'readings' }] } }],
    ]) {
      const documents = stages.map((stage) => serialize(stage));
      const readings = many.readings({ n: 'DOUBLE' });
      const job = { kind: 'pipeline' as const, stages: documents, readings };
      assert.equal(
        await getErrorCode(runner.run(job)),
        Code.ResourceExhausted,
        JSON.stringify(stages),
      );
    }
    assert.deepEqual(await queryRows(run(runner, 'SELECT 1 AS x')), [{ x: 1 }]);
  });

  it('fail only the call whose process is killed', async () => {
    const runner = await open();
    await queryRows(run(runner, 'SELECT 1'));
    const { failing } = await startEndless(runner);
    for (const pid of runner.processIds) {
      process.kill(pid, 'SIGKILL');
    }
    assert.equal(await failing, Code.Unavailable);
    assert.deepEqual(await queryRows(run(runner, 'SELECT 1 AS x')), [{ x: 1 }]);
  });

  it('limit running and waiting queries', async () => {
    const runner = await open({ queries: 1, waiting: 2, seconds: 2 });
    using second = new ParquetFolder();
    using third = new ParquetFolder();
    const running = getErrorCode(run(runner, ENDLESS));
    const order: string[] = [];
    const wait = async (name: string, directory: ParquetFolder) => {
      await queryRows(run(runner, 'SELECT 1', undefined, directory));
      order.push(name);
    };
    const waiting = [wait('second', second), wait('third', third)];
    await waitUntil(() => runner.load.queries.waiting === waiting.length);
    assert.equal(await getErrorCode(run(runner, 'SELECT 1')), Code.ResourceExhausted);
    assert.equal(await running, Code.DeadlineExceeded);
    await Promise.all(waiting);
    assert.deepEqual(order, ['second', 'third']);
  });

  it('are all ended when they are closed, which fails their jobs', async () => {
    const runner = await open();
    const { failing } = await startEndless(runner);
    const pids = runner.processIds;
    await runner.close();
    assert.equal(await failing, Code.Unavailable);
    assert.ok(pids.length > 0 && !pids.some(isAlive));
    assert.equal(await getErrorCode(run(runner, 'SELECT 1')), Code.Unavailable);
  });

  it('are ended with the service, even if it was killed during a query', async () => {
    const child = spawn(
      process.execPath,
      [await bundledProgram('queryProcess'), String(1024 * MIB)],
      {
        stdio: ['pipe', 'pipe', 'ignore'],
      },
    );
    const ended = once(child, 'exit');
    const job = { kind: 'sql' as const, sql: ENDLESS, readings: folder.readings() };
    const limits = { threads: 1, memoryBytes: 512 * MIB };
    for (const chunk of frameBytes('job', jobMessageBytes({ job, limits }))) {
      child.stdin.write(chunk);
    }
    try {
      let bytes = 0;
      child.stdout.on('data', (chunk: Buffer) => {
        bytes += chunk.byteLength;
      });
      await waitUntil(() => bytes > READY_BYTES);
      // Simulate the other process closing the pipe.
      child.stdin.end();
      await ended;
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('report why there are none', async () => {
    const logger = new RecordingLogger();
    for (const program of [undefined, join(folder.directory, 'nothing.js')]) {
      processes = new QueryProcesses({ program, logger });
      await assert.rejects(queryRows(run(processes, 'SELECT 1')), /unimplemented.*not available/);
    }
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
