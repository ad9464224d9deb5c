import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { AppService } from '../src/gen/viam/app/v1/app_pb';
import { BenchFleet } from './support/benchFleet';
import { startChildServer } from './support/childServer';
import { type BenchLine, LogTable } from './support/logTable';
import { median, milliseconds, quickOrFull, report, runBenchmark } from './support/figures';

const START_MICROS = Date.UTC(2026, 0, 1) * 1000;
const LINES_A_TRANSACTION = 50_000;
const RARE_EVERY = 1_000_000;
const RARE = 'interlock tripped';
const ROUNDS = 31;
const WARM_UP_ROUNDS = 5;

/**
 * `--lines 5000000` runs the full benchmark. Most of its time is spent on filling the log, which
 * takes a few minutes.
 */
const { values } = parseArgs({
  options: { lines: { type: 'string', default: String(quickOrFull(100_000, 1_000_000)) } },
});
const lines = Number(values.lines);
const rareLines = Math.ceil(lines / RARE_EVERY);

function* manyLines(): Generator<BenchLine> {
  for (let n = 0; n < lines; n += 1) {
    yield {
      at: START_MICROS + n * 1000,
      message: n % RARE_EVERY === 1 ? `${RARE} at gate ${n % 7}` : `drive at ${n % 1800} rpm`,
      fields: '[]',
    };
  }
}

/**
 * Searches many lines for a rare word, compared with plain SQL along the same index plus a call of a
 * server without logic. The SQL takes 0.1 to 0.2 ms at any number of lines, and a call of a bare
 * connect-node server takes eight to fifteen times as long. A ratio to the SQL alone would therefore
 * be the cost of the call. That ratio is one of the figures.
 */
runBenchmark(async () => {
  await using fleet = await BenchFleet.start();
  const { part_id: id } = fleet.part;
  let fillSeconds = 0;
  await fleet.whileStopped(async () => {
    fillSeconds =
      (await milliseconds(() => {
        using table = LogTable.open(fleet.databaseFile, id);
        table.insert(manyLines(), LINES_A_TRANSACTION);
        return Promise.resolve();
      })) / 1000;
  });
  using plain = new DatabaseSync(fleet.databaseFile, { readOnly: true });
  const search = plain.prepare(
    `select * from log_text cross join log_lines on log_lines.id = log_text.rowid
      where log_text match ? order by logged_at desc limit 100`,
  );
  const app = createClient(AppService, fleet.transport());
  const { headers } = fleet;
  const answerFile = join(fleet.directory, 'answer.bin');
  writeFileSync(answerFile, '');
  const echo = await startChildServer('echoServer.ts', answerFile);
  const echoSession = new Http2SessionManager(echo.url);
  const echoTransport = createGrpcTransport({ baseUrl: echo.url, sessionManager: echoSession });
  const bareApp = createClient(AppService, echoTransport);
  const times: Record<'ours' | 'plain' | 'call' | 'first', number[]> = {
    ours: [],
    plain: [],
    call: [],
    first: [],
  };
  const timed = async (filter: string, count: number): Promise<number> =>
    milliseconds(async () => {
      const { logs } = await app.getRobotPartLogs({ id, filter }, { headers });
      if (logs.length !== count) throw new Error(`${logs.length} lines were found.`);
    });
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const ours = await timed(RARE, rareLines);
    const first = await timed('drive', 100);
    const bare = await milliseconds(() => {
      if (search.all(`"${RARE}"`).length !== rareLines) throw new Error('Plain SQL found others.');
      return Promise.resolve();
    });
    const call = await milliseconds(() => bareApp.getRobotPart({ id }));
    if (round < 0) continue;
    times.call.push(call);
    times.ours.push(ours);
    times.plain.push(bare);
    times.first.push(first);
  }
  echoSession.abort();
  echo.stop();
  report({
    name: `a rare word in ${String(lines)} log lines`,
    ratio: median(times.ours) / (median(times.plain) + median(times.call)),
    against: 'plain SQL along the same index in this process, plus a call of a bare server',
    aim: '<= 1.5',
    milliseconds: Number(median(times.ours).toFixed(2)),
    plainMilliseconds: Number(median(times.plain).toFixed(2)),
    bareCallMilliseconds: Number(median(times.call).toFixed(2)),
    ratioToPlainSql: Number((median(times.ours) / median(times.plain)).toFixed(1)),
    frequentWordMilliseconds: Number(median(times.first).toFixed(2)),
    fillSeconds: Math.round(fillSeconds),
  });
});
