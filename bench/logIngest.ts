import { join } from 'node:path';
import { create, toBinary } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { LogRequestSchema, RobotService } from '../src/gen/viam/app/v1/robot_pb';
import { BenchFleet } from './support/benchFleet';
import { machineAuthorization } from './support/benchMachine';
import { type BenchLine, LogTable } from './support/logTable';
import { callOnce, connectHttp2, envelope } from './support/unaryLoad';
import { median, milliseconds, quickOrFull, report, runBenchmark } from './support/figures';

/**
 * Number of lines per call. A machine that logs 100 lines per second sends this many every two
 * seconds.
 */
const LINES_PER_CALL = 200;
const CALLS_PER_ROUND = 40;
/** Number of concurrent calls. */
const CALLERS = 4;
const ROUNDS = quickOrFull(5, 7);
const WARM_UP_ROUNDS = 2;
const LINES_PER_ROUND = LINES_PER_CALL * CALLS_PER_ROUND;
const START_MS = Date.UTC(2026, 0, 1);

const createLine = (n: number): BenchLine => ({
  at: (START_MS + n) * 1000,
  message: `drive at ${(n * 7919) % 1800} rpm, order A-${(n * 104_729) % 10_000} on its way`,
  fields: JSON.stringify([{ sequence: n }]),
});

function encodeCall(id: string, first: number): Buffer {
  const request = create(LogRequestSchema, {
    id,
    logs: Array.from({ length: LINES_PER_CALL }, (_, n) => ({
      host: 'rover',
      level: 'info',
      loggerName: 'rdk.component.drive',
      message: createLine(first + n).message,
      time: timestampFromMs(START_MS + first + n),
      fields: [{ sequence: first + n }],
    })),
  });
  return envelope(toBinary(LogRequestSchema, request));
}

function* linesFrom(first: number): Generator<BenchLine> {
  for (let n = first; n < first + LINES_PER_ROUND; n += 1) yield createLine(n);
}

/**
 * Measures lines per second through RobotService.Log, compared with direct inserts into the
 * database.
 */
runBenchmark(async () => {
  await using fleet = await BenchFleet.start();
  // The calls are encoded in advance, so that the machine's work isn't measured as the service's.
  const session = connectHttp2(fleet.url);
  const authorization = await machineAuthorization(fleet);
  const path = `/${RobotService.typeName}/${RobotService.method.log.name}`;
  using raw = await LogTable.create(join(fleet.directory, '..', 'raw.db'));
  const times: Record<'ours' | 'raw', number[]> = { ours: [], raw: [] };
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const first = round * LINES_PER_ROUND;
    const calls = Array.from({ length: CALLS_PER_ROUND }, (_, n) =>
      encodeCall(fleet.part.part_id, first + n * LINES_PER_CALL),
    );
    const ours = await milliseconds(() =>
      Promise.all(
        Array.from({ length: CALLERS }, async () => {
          for (let call = calls.pop(); call !== undefined; call = calls.pop()) {
            await callOnce(session, { path, authorization }, call);
          }
        }),
      ),
    );
    const bare = await milliseconds(() => {
      raw.insert(linesFrom(first), LINES_PER_CALL);
      return Promise.resolve();
    });
    if (round < WARM_UP_ROUNDS) continue;
    times.ours.push(ours);
    times.raw.push(bare);
  }
  session.close();
  const perSecond = (all: readonly number[]): number =>
    Math.round((LINES_PER_ROUND * 1000) / median(all));
  report({
    name: 'log lines a second through RobotService.Log',
    ratio: median(times.ours.map((time, n) => (times.raw[n] ?? NaN) / time)),
    against: 'raw inserts of the same lines into the same table, as durable as the calls',
    aim: '>= 0.4',
    linesPerSecond: perSecond(times.ours),
    rawLinesPerSecond: perSecond(times.raw),
    linesPerCall: LINES_PER_CALL,
  });
});
