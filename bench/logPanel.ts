import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import type { Frame } from 'playwright-core';
import { startService } from '../scripts/support/serviceProcess';
import { AppService } from '../src/gen/viam/app/v1/app_pb';
import {
  fleetMachines,
  type OpenTransport,
  signedInTransport,
} from '../src/simulate/fleet/fleetMachines';
import { withDescendants } from '../test/e2e/support/descendants';
import { LogPanel } from '../test/e2e/support/logPanel';
import { until } from '../test/e2e/support/until';
import { startVsCode, type VsCode } from '../test/e2e/support/vsCode';
import { quickOrFull, report, runBenchmark } from './support/figures';
import { LineLoad } from './support/lineLoad';

const MACHINES = 3;
const RATE = 5_000;
const SECONDS = Number(process.env.FLEETWRIGHT_BENCH_SECONDS ?? quickOrFull(6, 60));
const IDLE_SECONDS = quickOrFull(3, 5);
const FASTER = [10_000, 20_000].slice(quickOrFull(1, 0));
const FASTER_SECONDS = quickOrFull(4, 10);
const MEMORY_EVERY_MS = 2_000;

interface Frames {
  readonly perSecond: number;
  readonly longestMs: number;
}

/** Returns the frame of the webview that contains the lines. */
async function panelFrame(vsCode: VsCode): Promise<Frame> {
  for (const frame of vsCode.page.frames()) {
    if ((await frame.locator('.status-line').count()) > 0) return frame;
  }
  throw new Error('There is no log panel.');
}

/** Measures how often the panel is drawn while some work runs. */
async function framesDuring(frame: Frame, work: () => Promise<unknown>): Promise<Frames> {
  await frame.evaluate(() => {
    const times: number[] = [];
    // Use a method, because for a function the compiler would add a call to a helper that doesn't
    // exist in the page.
    const clock = {
      tick(): void {
        times.push(performance.now());
        requestAnimationFrame(() => {
          clock.tick();
        });
      },
    };
    clock.tick();
    Object.assign(window, { frameTimes: times });
  });
  await work();
  return frame.evaluate(() => {
    const { frameTimes: times = [] } = window as { frameTimes?: number[] };
    const spans = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    const total = (times.at(-1) ?? 0) - (times[0] ?? 0);
    times.splice(0);
    return { perSecond: (spans.length * 1000) / total, longestMs: Math.max(...spans) };
  });
}

/** Samples the memory of the extension host in MiB while some work runs; works only on Linux. */
async function memoryDuring(work: () => Promise<unknown>): Promise<number[]> {
  const host = withDescendants(process.pid).find(({ command }) =>
    command.includes('--type=extensionHost'),
  );
  const figures: number[] = [];
  const timer = setInterval(() => {
    const status = readFileSync(`/proc/${String(host?.pid)}/status`, 'utf8');
    figures.push(Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024));
  }, MEMORY_EVERY_MS);
  await work().finally(() => {
    clearInterval(timer);
  });
  return figures;
}

/** Returns the counts that the panel displays: buffered lines and missed lines. */
async function counted(frame: Frame): Promise<{ buffered: number; missed: number }> {
  const text = await frame.locator('.status-line').innerText();
  const number = (pattern: RegExp): number =>
    Number((pattern.exec(text)?.[1] ?? '0').replaceAll(',', ''));
  return {
    buffered: number(/([\d,]+) of [\d,]+ in memory/),
    missed: number(/([\d,]+) lines? missed/),
  };
}

/** Counts missing and duplicate lines in an export. */
function countExportErrors(path: string, loads: ReadonlyMap<string, LineLoad>): number {
  const found = new Map<string, Set<number>>([...loads].map(([name]) => [name, new Set()]));
  let lines = 0;
  for (const text of readFileSync(path, 'utf8').trimEnd().split('\n')) {
    const { machine, fields } = JSON.parse(text) as { machine: string; fields: { number: number } };
    found.get(machine)?.add(fields.number);
    lines += 1;
  }
  const distinct = [...found.values()].reduce((sum, numbers) => sum + numbers.size, 0);
  const logged = [...loads.values()].reduce((sum, load) => sum + load.logged, 0);
  return logged - distinct + (lines - distinct);
}

/**
 * Measures the live log panel in real VS Code while three machines log 5,000 lines per second: the
 * frame rate compared with the idle panel, lost lines, and memory. Then finds the limits beyond
 * that rate.
 */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-log-panel-'));
  const service = await startService(['--data', join(folder, 'data')]);
  const { url, credentials, credentialsFile } = service;
  const sessionManager = new Http2SessionManager(url);
  const open: OpenTransport = (interceptors) =>
    createGrpcTransport({ baseUrl: url, sessionManager, interceptors });
  const owner = { entity: credentials.apiKeyId, payload: credentials.apiKey };
  const transport = await signedInTransport(open, { type: 'api-key', ...owner });
  const parts = await fleetMachines(
    createClient(AppService, transport),
    credentials.organizationId,
    MACHINES,
    {},
  );
  const loads = new Map<string, LineLoad>();
  for (const part of parts) {
    // A machine's main part is named after the machine.
    loads.set(part.name.replace(/-main$/, ''), await LineLoad.of(open, part));
  }
  const logAll = (rate: number, seconds: number): Promise<unknown> =>
    Promise.all([...loads.values()].map((load) => load.run(Math.ceil(rate / MACHINES), seconds)));
  const logged = (): number => [...loads.values()].reduce((sum, load) => sum + load.logged, 0);

  const vsCode = await startVsCode({
    credentialsFile,
    settings: { 'fleetwright.logs.bufferLimit': 1_000_000 },
  });
  try {
    const { fleet, editors, quickInput, messages } = vsCode.workbench;
    const [first = '', ...others] = loads.keys();
    await fleet.open();
    await fleet.expand('Demo data');
    await fleet.select(first, ...others);
    await fleet.menu(first, 'fleetwright.machine.showLogs');
    await editors.activeTab(`Logs: ${first} and ${String(others.length)} more`).waitFor();
    const panel = new LogPanel(vsCode.page);
    for (const name of loads.keys()) await panel.part(name, /live/).waitFor();
    const frame = await panelFrame(vsCode);

    const idle = await framesDuring(frame, () => vsCode.page.waitForTimeout(IDLE_SECONDS * 1000));
    let busy: Frames | undefined;
    const memory = await memoryDuring(async () => {
      busy = await framesDuring(frame, () => logAll(RATE, SECONDS));
    });
    const waitForLines = async (): Promise<void> => {
      await until('all lines are there', async () => {
        const { buffered, missed } = await counted(frame);
        return buffered + missed >= logged();
      });
    };
    await waitForLines();
    const beyond: Record<string, unknown> = {};
    for (const rate of FASTER) {
      const frames = await framesDuring(frame, () => logAll(rate, FASTER_SECONDS));
      await waitForLines();
      beyond[String(rate)] = { ...frames, missed: (await counted(frame)).missed };
    }
    await panel.menu('Export');
    await quickInput.pick('NDJSON');
    const path = join(folder, 'lines.ndjson');
    await quickInput.enterPath(path);
    await messages.waitForMessage(/Exported [\d,]+ lines/);
    report({
      name: 'log panel',
      ratio: (busy?.perSecond ?? NaN) / idle.perSecond,
      against: 'frames a second of the same panel at rest',
      aim: '>= 0.5',
      framesPerSecond: busy?.perSecond,
      longestFrameMs: busy?.longestMs,
      idleFramesPerSecond: idle.perSecond,
      linesPerSecond: RATE,
      seconds: SECONDS,
      lines: logged(),
      lostOrDouble: countExportErrors(path, loads),
      extensionHostMebibytes: { early: memory[2], late: memory.at(-1) },
      beyond,
    });
  } finally {
    await vsCode.close();
    sessionManager.abort();
    await service.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

runBenchmark(main);
