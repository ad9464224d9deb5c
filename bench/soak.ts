import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { create, toBinary } from '@bufbuild/protobuf';
import { createClient, type Transport } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { connector } from '../src/cli/connect';
import { toConnectionId } from '../src/core/model/connection';
import { locationId, machineId, organizationId, partId } from '../src/core/model/ids';
import type { PartTarget } from '../src/core/model/resourceTarget';
import { AppService } from '../src/gen/viam/app/v1/app_pb';
import { GetRobotPartResponseSchema } from '../src/gen/viam/app/v1/machine_pb';
import {
  fleetMachines,
  type OpenTransport,
  signedInTransport,
} from '../src/simulate/fleet/fleetMachines';
import { startCodeServer } from '../scripts/support/codeServer';
import { runInExtensionHost } from '../scripts/support/hostRun';
import { type ServiceProcess, startService } from '../scripts/support/serviceProcess';
import { startChildServer } from './support/childServer';
import { report, runBenchmark } from './support/figures';
import { bundleProbe } from './support/hostProbe';
import { Inspector } from './support/inspector';
import { LineLoad } from './support/lineLoad';
import {
  listChildProcesses,
  listDescendants,
  readMemory,
  readProcessorTime,
} from './support/processUsage';
import { type SoakPlan, soakPlanVariable } from './support/soakPlan';
import { REFERENCE, type SoakFleet, SoakLoad } from './support/soakLoad';
import { stageReleasedExtension } from './support/stagedExtension';
import { QUARTERS, type SoakEntry, SoakRecord } from './support/soakRecord';

const MACHINES = 4;
const MINUTES_VARIABLE = 'FLEETWRIGHT_SOAK_MINUTES';
const DEFAULT_MINUTES = 120;
/** Number of memory measurements per quarter, of which the median counts. */
const MEASUREMENTS = 5;
const MEBIBYTE = 1024 * 1024;
/** Time that the editor needs to start and stop. */
const EXTRA_MS = 300_000;
/** Number of steps of the editor, which loads a processor more than the rest. */
const EDITOR_STEPS = 200;
const MIN_STEP_MS = 10_000;
/** Small, so that it is full before the second quarter. */
const LOG_BUFFER_LIMIT = 2_000;

const { values } = parseArgs({
  options: {
    /** Existing folder for heap snapshots at the end of the run. */
    snapshots: { type: 'string' },
  },
});

/** Creates the machines and returns them with the clients that the load needs. */
async function prepare(
  service: ServiceProcess,
  resources: AsyncDisposableStack,
  folder: string,
): Promise<SoakFleet & { readonly shown: PartTarget }> {
  const { url, credentials, credentialsFile } = service;
  const sessionManager = new Http2SessionManager(url);
  resources.defer(() => sessionManager.abort());
  const open: OpenTransport = (interceptors) =>
    createGrpcTransport({ baseUrl: url, sessionManager, interceptors });
  const owner = await signedInTransport(open, {
    type: 'api-key',
    entity: credentials.apiKeyId,
    payload: credentials.apiKey,
  });
  const app = createClient(AppService, owner);
  const { organizationId: organization } = credentials;
  const parts = await fleetMachines(app, organization, MACHINES, {});
  const [first, ...others] = await Promise.all(parts.map((part) => LineLoad.of(open, part)));
  if (!first) throw new Error('The demo fleet has no machines.');
  const session = await connector({})({
    credentialsFile,
    url: undefined,
    allowPlainHttp: false,
    authorityFiles: [],
  });
  resources.defer(() => session.dispose());
  const shownId = parts.at(-1)?.id ?? '';
  const { part } = await app.getRobotPart({ id: shownId });
  const { robot } = await app.getRobot({ id: part?.robot ?? '' });
  const shown: PartTarget = {
    kind: 'part',
    connectionId: toConnectionId(credentials.apiKeyId),
    organizationId: organizationId(organization),
    locationId: locationId(robot?.location ?? ''),
    machineId: machineId(robot?.id ?? ''),
    machineName: robot?.name ?? '',
    partId: partId(shownId),
    name: part?.name ?? '',
  };
  return {
    stores: session.stores,
    organization,
    parts,
    machines: [first, ...others],
    reference: await startReference(folder, resources),
    shown,
  };
}

/** Starts a server without logic and returns a call to it. */
async function startReference(
  folder: string,
  resources: AsyncDisposableStack,
): Promise<() => Promise<unknown>> {
  const answer = join(folder, 'answer.bin');
  writeFileSync(answer, toBinary(GetRobotPartResponseSchema, create(GetRobotPartResponseSchema)));
  const server = await startChildServer('echoServer.ts', answer);
  resources.defer(() => server.stop());
  const sessionManager = new Http2SessionManager(server.url);
  resources.defer(() => sessionManager.abort());
  const transport: Transport = createGrpcTransport({ baseUrl: server.url, sessionManager });
  const app = createClient(AppService, transport);
  return () => app.getRobotPart({ id: '' });
}

/** Measures the service and its query processes until the signal aborts. */
async function measureService(
  service: ServiceProcess,
  inspector: Inspector,
  { record, everyMs, signal }: { record: SoakRecord; everyMs: number; signal: AbortSignal },
): Promise<void> {
  for (;;) {
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      record.add({
        at: Date.now(),
        name: 'service heap',
        mebibytes: (await inspector.measureHeap()) / MEBIBYTE,
      });
      const rss = (pid: number): number => readMemory(pid).now;
      const children = listChildProcesses(service.pid).reduce((sum, pid) => sum + rss(pid), 0);
      record.add({ at: Date.now(), name: 'service RSS', mebibytes: rss(service.pid) });
      record.add({ at: Date.now(), name: 'query processes RSS', mebibytes: children });
    } catch (error) {
      record.add({ at: Date.now(), name: 'memory', error: String(error) });
    }
  }
}

/**
 * Processor time of this process and its descendants. Excludes processes that exit between two
 * measurements.
 */
class ProcessorShare {
  private times = this.readTimes();
  private since = Date.now();

  /** Returns the share of one core that was used since the last measurement. */
  measure(): number {
    const { times: before, since } = this;
    this.times = this.readTimes();
    this.since = Date.now();
    const used = [...this.times].reduce(
      (sum, [pid, time]) => sum + time - (before.get(pid) ?? 0),
      0,
    );
    return Number((used / (this.since - since)).toFixed(3));
  }

  private readTimes(): ReadonlyMap<number, number> {
    const times = new Map<number, number>();
    for (const pid of [process.pid, ...listDescendants(process.pid)]) {
      try {
        times.set(pid, readProcessorTime(pid));
      } catch {
        // The process has just exited.
      }
    }
    return times;
  }
}

/** Transfers new lines of the editor's file to the record. */
class EditorEntries {
  private done = 0;

  constructor(
    private readonly file: string,
    private readonly record: SoakRecord,
  ) {}

  transfer(): void {
    const lines = readFileSync(this.file, 'utf8').split('\n').slice(0, -1);
    for (const line of lines.slice(this.done)) this.record.add(JSON.parse(line) as SoakEntry);
    this.done = lines.length;
  }
}

function printQuarter(record: SoakRecord, index: number, share: number): void {
  const memory = record.memories.map((name) => [name, record.memory(index, name)] as const);
  const figures = { ...Object.fromEntries(memory), shareOfOneCore: share };
  console.log(`quarter ${String(index + 1)} ${JSON.stringify(figures)}`);
  console.table(record.operations.map((name) => record.figures(index, name)));
}

/** Reports the last quarter against the second; the first contains the warm-up. */
function reportRatios(record: SoakRecord, serviceMilliseconds: readonly number[]): void {
  const [second, last] = [1, QUARTERS - 1] as const;
  const machine = record.figures(last, REFERENCE).p95 / record.figures(second, REFERENCE).p95;
  for (const name of record.operations.filter((operation) => operation !== REFERENCE)) {
    const [before, after] = [record.figures(second, name), record.figures(last, name)];
    report({
      name: `soak: p95 of "${name}"`,
      ratio: after.p95 / before.p95,
      against: 'the second quarter of the same run',
      aim: '<= 1.25',
      before,
      after,
      ratioOfReference: Number(machine.toFixed(3)),
    });
  }
  for (const name of record.memories) {
    const [before, after] = [record.memory(second, name), record.memory(last, name)];
    report({
      name: `soak: ${name}`,
      ratio: after / before,
      against: 'the second quarter of the same run',
      aim: '<= 1.05',
      mebibytesBefore: before,
      mebibytesAfter: after,
    });
  }
  const [before = Number.NaN, after = Number.NaN] = [second, last].map(
    (quarter) => serviceMilliseconds[quarter],
  );
  report({
    name: 'soak: processor time of the service',
    ratio: after / before,
    against: 'the second quarter of the same run',
    aim: '<= 1.25',
    secondsBefore: Math.round(before / 1_000),
    secondsAfter: Math.round(after / 1_000),
  });
  report({
    name: 'soak: failed calls',
    ratio: record.errors.length,
    against: 'all calls of the run',
    aim: '<= 0',
    first: record.errors.slice(0, 20),
  });
}

/**
 * Runs the service and the editor under a moderate load for two hours or the time in
 * `FLEETWRIGHT_SOAK_MINUTES`, prints the figures of each quarter, and reports whether operations
 * became slower or memory grew.
 */
async function main(): Promise<void> {
  const durationMs = Number(process.env[MINUTES_VARIABLE] ?? DEFAULT_MINUTES) * 60_000;
  if (!(durationMs > 0)) throw new Error(`${MINUTES_VARIABLE} must be a positive number.`);
  await using resources = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-soak-'));
  resources.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  const extension = join(folder, 'extension');
  stageReleasedExtension(extension);
  const logFile = join(folder, 'service.log');
  const service = await startService(
    ['--demo', '--demo-machines', 'still', '--data', join(folder, 'data')],
    {
      script: join(extension, 'dist', 'service.js'),
      logFile,
      nodeOptions: ['--inspect=127.0.0.1:0'],
    },
  );
  resources.defer(() => service.stop());
  using inspector = await Inspector.connect(readFileSync(logFile, 'utf8'));
  const fleet = await prepare(service, resources, folder);
  const quarterMs = durationMs / QUARTERS;
  const memoryEveryMs = quarterMs / MEASUREMENTS;
  const start = Date.now();
  const record = new SoakRecord(start, durationMs);
  const { shown } = fleet;
  const plan: SoakPlan = {
    record: join(folder, 'editor.jsonl'),
    stopFile: join(folder, 'stop'),
    stepEveryMs: Math.max(MIN_STEP_MS, durationMs / EDITOR_STEPS),
    memoryEveryMs,
    ...(values.snapshots !== undefined && {
      snapshot: join(values.snapshots, 'host.heapsnapshot'),
    }),
    organization: { ...shown, kind: 'organization', name: 'soak' },
    machine: { ...shown, kind: 'machine', name: shown.machineName },
    part: shown,
  };
  writeFileSync(plan.record, '');
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  const server = await startCodeServer({
    dataFolder: join(folder, 'code'),
    smokeTestDriver: true,
    settings: {
      'fleetwright.logs.bufferLimit': LOG_BUFFER_LIMIT,
      'fleetwright.documents.savePreview': 'never',
    },
    env: {
      FLEETWRIGHT_CREDENTIALS_FILE: service.credentialsFile,
      [soakPlanVariable]: JSON.stringify(plan),
    },
  });
  resources.defer(() => server.stop());
  const editor = runInExtensionHost({
    server,
    developmentPath: extension,
    testsPath: await bundleProbe('soakEditor.ts', folder),
    workspace,
    limitMs: durationMs + EXTRA_MS,
  });
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  // The rest of the run is still useful after the editor has failed.
  const editorEnd = editor.catch((error: unknown) => {
    record.add({ at: Date.now(), name: 'editor', error: String(error) });
  });
  const { signal } = stopping;
  const load = new SoakLoad(fleet, record).run(signal);
  load.catch(stop);
  const measuring = measureService(service, inspector, { record, everyMs: memoryEveryMs, signal });
  const entries = new EditorEntries(plan.record, record);
  const share = new ProcessorShare();
  const serviceMilliseconds: number[] = [];
  let serviceTime = readProcessorTime(service.pid);
  console.log(`Started at ${new Date(start).toISOString()} in ${folder}`);
  for (let quarter = 0; quarter < QUARTERS && !signal.aborted; quarter++) {
    const end = start + (quarter + 1) * quarterMs;
    await sleep(Math.max(0, end - Date.now()), undefined, { signal }).catch(() => undefined);
    entries.transfer();
    const time = readProcessorTime(service.pid);
    serviceMilliseconds.push(time - serviceTime);
    serviceTime = time;
    printQuarter(record, quarter, share.measure());
  }
  stop();
  // Snapshots enlarge the processes, so they are written after the last measurement.
  if (values.snapshots !== undefined) {
    await inspector.writeSnapshot(join(values.snapshots, 'service.heapsnapshot'));
  }
  await Promise.all([load, measuring]);
  writeFileSync(plan.stopFile, '');
  await editorEnd;
  entries.transfer();
  reportRatios(record, serviceMilliseconds);
}

runBenchmark(main);
