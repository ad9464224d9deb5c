import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCodeServer } from '../scripts/support/codeServer';
import { runInExtensionHost } from '../scripts/support/hostRun';
import { startService } from '../scripts/support/serviceProcess';
import { writeSmallExtension } from '../scripts/support/smallExtension';
import { CountingProxy } from './support/countingProxy';
import { findDemoTargets } from './support/demoTargets';
import { report, runBenchmark } from './support/figures';
import { bundleProbe } from './support/hostProbe';
import { readMajorFaults, readProcessorTime, readWakeups } from './support/processUsage';
import { type RestPlan, restPlanVariable, type RestResult } from './support/restPlan';
import { stageReleasedExtension } from './support/stagedExtension';
import { startTickingProcess } from './support/tickingProcess';

const MINUTES_VARIABLE = 'FLEETWRIGHT_REST_MINUTES';
const DEFAULT_MINUTES = 60;
const SETTLE_MS = 60_000;
/** Time between samples of the service. Reading them costs the service nothing. */
const SAMPLE_MS = 1_000;
/** Time that the editor needs to start and stop. */
const EXTRA_MS = 300_000;
const MAX_BYTES_PER_MINUTE = 10 * 1024;
/**
 * Baseline at rest. Milliseconds alone would say more about the computer than about us, because a
 * wakeup of an idle program costs up to ten times as much on one as on another.
 */
const EMPTY_HOST = 'a host with an empty extension';

interface Window {
  readonly folder: string;
  readonly extension: string;
  readonly plan: RestPlan;
  readonly env?: Readonly<Record<string, string>>;
}

/** Opens VS Code with an extension, leaves it alone for the time in the plan, and closes it. */
async function rest({ folder, extension, plan, env = {} }: Window): Promise<RestResult> {
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace, { recursive: true });
  const server = await startCodeServer({
    dataFolder: join(folder, 'code'),
    smokeTestDriver: true,
    env: { ...env, [restPlanVariable]: JSON.stringify(plan) },
  });
  try {
    await runInExtensionHost({
      server,
      developmentPath: extension,
      testsPath: await bundleProbe('restProbe.ts', folder),
      workspace,
      limitMs: plan.settleMs + plan.durationMs + EXTRA_MS,
    });
    return JSON.parse(readFileSync(plan.result, 'utf8')) as RestResult;
  } finally {
    await server.stop();
  }
}

/** Totals of the service and of the ticking process since they started. */
interface Sample {
  /** Time in milliseconds since the epoch. */
  readonly at: number;
  readonly processorMilliseconds: number;
  readonly wakeups: number;
  readonly tickingMilliseconds: number;
  readonly majorFaults: number;
  readonly bytes: number;
}

/**
 * Returns what the service and the ticking process used per minute while a window rested. Only the window knows when it
 * rests, because its start takes a different time on each computer.
 */
function measureRest(samples: readonly Sample[], { from, to }: RestResult): Omit<Sample, 'at'> {
  const rest = samples.filter(({ at }) => at >= from && at <= to);
  const [first, last] = [rest[0], rest.at(-1)];
  if (!first || !last || first === last) throw new Error('The rest is too short to be measured.');
  const minutes = (last.at - first.at) / 60_000;
  return {
    processorMilliseconds: (last.processorMilliseconds - first.processorMilliseconds) / minutes,
    wakeups: (last.wakeups - first.wakeups) / minutes,
    tickingMilliseconds: (last.tickingMilliseconds - first.tickingMilliseconds) / minutes,
    majorFaults: last.majorFaults - first.majorFaults,
    bytes: (last.bytes - first.bytes) / minutes,
  };
}

/**
 * Leaves a window with the demo fleet and an open log alone for an hour or the time in
 * `FLEETWRIGHT_REST_MINUTES`, next to a window with an empty extension, and reports what this costs.
 */
async function main(): Promise<void> {
  const durationMs = Number(process.env[MINUTES_VARIABLE] ?? DEFAULT_MINUTES) * 60_000;
  if (!(durationMs > 0)) throw new Error(`${MINUTES_VARIABLE} must be a positive number.`);
  await using resources = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-rest-'));
  resources.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  const extension = join(folder, 'extension');
  stageReleasedExtension(extension);
  const service = await startService(
    ['--demo', '--demo-machines', 'still', '--data', join(folder, 'data')],
    { script: join(extension, 'dist', 'service.js') },
  );
  resources.defer(() => service.stop());
  using proxy = await CountingProxy.start(service.url);
  const credentialsFile = join(folder, 'credentials.json');
  writeFileSync(credentialsFile, JSON.stringify({ ...service.credentials, url: proxy.url }), {
    mode: 0o600,
  });
  const { part } = await findDemoTargets(service);
  const [oursFolder, emptyFolder] = [join(folder, 'ours'), join(folder, 'empty')];
  writeSmallExtension(join(emptyFolder, 'extension'), { id: 'bench.empty' });
  const times = { settleMs: SETTLE_MS, durationMs };
  const plan: RestPlan = { ...times, part, result: join(folder, 'ours.json') };
  const pair = Promise.all([
    rest({
      folder: oursFolder,
      extension,
      plan,
      env: { FLEETWRIGHT_CREDENTIALS_FILE: credentialsFile },
    }),
    rest({
      folder: emptyFolder,
      extension: join(emptyFolder, 'extension'),
      plan: { ...times, result: join(folder, 'empty.json') },
    }),
  ]);
  using ticking = startTickingProcess();
  const samples: Sample[] = [];
  const sampling = setInterval(() => {
    samples.push({
      at: Date.now(),
      processorMilliseconds: readProcessorTime(service.pid),
      wakeups: readWakeups(service.pid),
      tickingMilliseconds: readProcessorTime(ticking.pid),
      majorFaults: readMajorFaults(service.pid),
      bytes: proxy.bytes,
    });
  }, SAMPLE_MS);
  resources.defer(() => clearInterval(sampling));
  const [ours, empty] = await pair;
  const rested = measureRest(samples, ours);
  const perMinute = ({ from, to }: RestResult, total: number): number =>
    total / ((to - from) / 60_000);
  const [ourTime, emptyTime] = [ours, empty].map((result) =>
    perMinute(result, result.processorMilliseconds),
  ) as [number, number];
  const round = (value: number): number => Number(value.toFixed(1));
  report({
    name: 'rest: processor time of the extension host, less that of an empty extension',
    ratio: (ourTime - emptyTime) / emptyTime,
    against: EMPTY_HOST,
    aim: '<= 1',
    millisecondsPerMinute: round(ourTime - emptyTime),
    emptyMillisecondsPerMinute: round(emptyTime),
    tickingMillisecondsPerMinute: round(rested.tickingMilliseconds),
    wakeupsPerMinute: round(perMinute(ours, ours.wakeups)),
    emptyWakeupsPerMinute: round(perMinute(empty, empty.wakeups)),
    majorFaults: ours.majorFaults,
    emptyMajorFaults: empty.majorFaults,
    minutes: durationMs / 60_000,
  });
  report({
    name: 'rest: processor time of the service with a window open',
    ratio: rested.processorMilliseconds / emptyTime,
    against: EMPTY_HOST,
    aim: '<= 1',
    millisecondsPerMinute: round(rested.processorMilliseconds),
    wakeupsPerMinute: round(rested.wakeups),
    majorFaults: rested.majorFaults,
  });
  report({
    name: 'rest: heap of the extension host',
    ratio: ours.heapAfter / ours.heapBefore,
    against: 'the heap a minute after the start',
    aim: '<= 1.02',
    heapBefore: ours.heapBefore,
    heapAfter: ours.heapAfter,
  });
  report({
    name: 'rest: resident memory of the extension host',
    ratio: ours.rss / empty.rss,
    against: EMPTY_HOST,
    aim: '<= 1.5',
    rss: ours.rss,
    emptyRss: empty.rss,
  });
  report({
    name: 'rest: bytes a minute of an idle tree and an open log',
    ratio: rested.bytes / MAX_BYTES_PER_MINUTE,
    against: '10 KiB',
    aim: '<= 1',
    bytesPerMinute: Math.round(rested.bytes),
  });
}

runBenchmark(main);
