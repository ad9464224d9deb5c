import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { createClient } from '@connectrpc/connect';
import { AppService } from '../src/gen/viam/app/v1/app_pb';
import { RobotService } from '../src/gen/viam/app/v1/robot_pb';
import { BenchFleet } from './support/benchFleet';
import { machineAuthorization } from './support/benchMachine';
import { quickOrFull, report, runBenchmark } from './support/figures';

const LINES_PER_SECOND = 5000;
const CALL_EVERY_MS = 50;
/**
 * Maximum number of concurrent calls. A machine continues to send while the service stores the
 * lines of a call.
 */
const MAX_CALLS = 4;
/** Share of the lines that the service must acknowledge in time for a rate to count as reached. */
const REACHED = 0.95;
const LAST_LINES_MS = 30_000;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: String(quickOrFull(2, 20)) },
    /** Maximum rate to try after the initial one. */
    most: { type: 'string', default: String(quickOrFull(10_000, 20_000)) },
  },
});
const seconds = Number(values.seconds);

/** A tail and the lines that it has received. */
interface Reader {
  lines: number;
  /** Number of lines that arrived twice or out of order. */
  disordered: number;
  missed: number;
}

class TailBench {
  private sequence = 0;

  constructor(
    private readonly fleet: BenchFleet,
    private readonly machine: { authorization: string },
  ) {}

  /** Logs at a given rate while the given number of tails read all lines. */
  async run(rate: number, tails: number) {
    const stop = new AbortController();
    const readers = Array.from({ length: tails }, () => ({ lines: 0, disordered: 0, missed: 0 }));
    const read = await Promise.all(readers.map((reader) => this.read(reader, stop.signal)));
    const before = this.fleet.memory().now;
    const start = performance.now();
    const sent = await this.log(rate);
    const took = (performance.now() - start) / 1000;
    const isDone = (): boolean => readers.every(({ lines, missed }) => lines + missed >= sent);
    for (const late = performance.now() + LAST_LINES_MS; !isDone() && performance.now() < late;) {
      await sleep(CALL_EVERY_MS);
    }
    stop.abort();
    await Promise.all(read.map(({ end }) => end));
    const least = Math.min(...readers.map(({ lines }) => lines));
    return {
      sent,
      linesPerSecond: Math.round(sent / took),
      had: least / sent,
      missed: readers.reduce((sum, { missed }) => sum + missed, 0),
      disordered: readers.reduce((sum, { disordered }) => sum + disordered, 0),
      mebibytesMore: this.fleet.memory().now - before,
    };
  }

  /**
   * Starts reading a tail; resolves when the tail is live. The result contains a promise that
   * resolves when the tail ends.
   */
  private async read(reader: Reader, signal: AbortSignal): Promise<{ end: Promise<void> }> {
    const app = createClient(AppService, this.fleet.transport());
    const { headers, part } = this.fleet;
    const request = { id: part.part_id, errorsOnly: false };
    const tail = app.tailRobotPartLogs(request, { headers, signal })[Symbol.asyncIterator]();
    await tail.next();
    const read = async (): Promise<void> => {
      let last = this.sequence;
      for (let next = await tail.next(); next.done !== true; next = await tail.next()) {
        for (const { fields } of next.value.logs) {
          const [{ sequence, missed } = {}] = fields;
          if (typeof missed === 'number') {
            reader.missed += missed;
            continue;
          }
          reader.lines += 1;
          reader.disordered += Number(sequence) > last ? 0 : 1;
          last = Number(sequence);
        }
      }
    };
    return { end: read().catch(() => undefined) };
  }

  /** Sends lines at their scheduled times; returns the number of lines acknowledged in time. */
  private async log(rate: number): Promise<number> {
    const robot = createClient(RobotService, this.fleet.transport());
    const { part_id: id } = this.fleet.part;
    const size = (rate * CALL_EVERY_MS) / 1000;
    const calls = (seconds * 1000) / CALL_EVERY_MS;
    const start = performance.now();
    const inProgress = new Set<Promise<void>>();
    let sent = 0;
    for (let call = 0; call < calls; call += 1) {
      const early = start + call * CALL_EVERY_MS - performance.now();
      if (early > 0) await sleep(early);
      if (inProgress.size >= MAX_CALLS) await Promise.race(inProgress);
      // Lines that aren't sent by this time exceed the capacity of the service.
      if (performance.now() - start > seconds * 1000 * (2 - REACHED)) break;
      const logs = Array.from({ length: size }, () => this.line());
      const sending = robot.log({ id, logs }, { headers: this.machine }).then(() => {
        sent += size;
        inProgress.delete(sending);
      });
      inProgress.add(sending);
    }
    await Promise.all(inProgress);
    return sent;
  }

  private line() {
    this.sequence += 1;
    return {
      host: 'rover',
      level: 'info',
      loggerName: 'rdk.component.drive',
      message: `drive at ${(this.sequence * 7919) % 1800} rpm`,
      time: timestampFromMs(Date.now()),
      fields: [{ sequence: this.sequence }],
    };
  }
}

/** Tails lines through the real server: checks for lost lines, and finds the maximum rate. */
runBenchmark(async () => {
  await using fleet = await BenchFleet.start();
  const bench = new TailBench(fleet, { authorization: await machineAuthorization(fleet) });
  await bench.run(LINES_PER_SECOND / 5, 1);
  let best = { rate: 0, mebibytesMore: 0 };
  for (const tails of [1, 10]) {
    const { had, ...figures } = await bench.run(LINES_PER_SECOND, tails);
    const { linesPerSecond: rate, missed, mebibytesMore } = figures;
    if (tails === 1 && missed === 0) best = { rate, mebibytesMore };
    report({
      name: `lines that each of ${String(tails)} tails has, at ${String(LINES_PER_SECOND)} a second`,
      ratio: had,
      against: 'the lines that were acknowledged in the same run',
      aim: '>= 1',
      seconds,
      ...figures,
    });
  }
  for (let rate = LINES_PER_SECOND * 2; rate <= Number(values.most); rate *= 2) {
    const { linesPerSecond, missed, mebibytesMore } = await bench.run(rate, 1);
    if (missed > 0 || linesPerSecond < rate * REACHED) {
      report({
        name: 'lines a second that one tail has without a miss',
        ratio: Math.max(best.rate, missed > 0 ? 0 : linesPerSecond) / LINES_PER_SECOND,
        against: `${String(LINES_PER_SECOND)} lines a second`,
        aim: '>= 1',
        brokeAt: rate,
        because: missed > 0 ? `${String(missed)} lines were missed` : 'no more were taken in',
        linesPerSecond,
        mebibytesMore,
      });
      return;
    }
    best = { rate: linesPerSecond, mebibytesMore };
  }
  report({
    name: 'lines a second that one tail has without a miss',
    ratio: best.rate / LINES_PER_SECOND,
    against: `${String(LINES_PER_SECOND)} lines a second`,
    aim: '>= 1',
    linesPerSecond: best.rate,
    mebibytesMore: best.mebibytesMore,
  });
});
