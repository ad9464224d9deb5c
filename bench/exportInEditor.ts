import { createClient } from '@connectrpc/connect';
import {
  createReadStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packExtension } from '../scripts/support/packExtension';
import { DataService } from '../src/gen/viam/app/data/v1/data_pb';
import { DataPanel } from '../test/e2e/support/dataPanel';
import { withDescendants } from '../test/e2e/support/descendants';
import { startVsCode } from '../test/e2e/support/vsCode';
import { BenchFleet } from './support/benchFleet';
import { fillReadings, SENSOR } from './support/bulkData';
import { milliseconds, quickOrFull, report, runBenchmark } from './support/figures';

const READINGS = Number(process.env.FLEETWRIGHT_BENCH_READINGS ?? quickOrFull(100_000, 1_000_000));
const POLL_INTERVAL_MS = 100;
const EXPORT_TIMEOUT_MS = 900_000;
const NEWLINE = 10;

/** Returns the memory of the extension host in MiB. Linux only. */
function hostMemory(): number {
  const host = withDescendants(process.pid).find(({ command }) =>
    command.includes('--type=extensionHost'),
  );
  if (!host) throw new Error('There is no extension host.');
  const status = readFileSync(`/proc/${String(host.pid)}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

async function countLines(path: string): Promise<number> {
  let lines = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (const byte of chunk) if (byte === NEWLINE) lines += 1;
  }
  return lines;
}

/**
 * Exports all readings of an organization to a CSV file from the data panel in real VS Code, and
 * compares the time with streaming the same readings from the service and discarding them. Also
 * measures the memory of the extension host.
 */
runBenchmark(async () => {
  await using fleet = await BenchFleet.start();
  await fleet.whileStopped(() => fillReadings(fleet.databaseFile, fleet.part, READINGS));
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-export-'));
  const path = join(folder, 'readings.csv');
  const credentialsFile = join(folder, 'credentials.json');
  writeFileSync(credentialsFile, JSON.stringify(fleet.key));
  const streamed = await milliseconds(async () => {
    const data = createClient(DataService, fleet.transport());
    const request = {
      partId: fleet.part.part_id,
      resourceName: SENSOR.component_name,
      resourceSubtype: SENSOR.component_type,
      methodName: SENSOR.method_name,
    };
    let rows = 0;
    for await (const row of data.exportTabularData(request, { headers: fleet.headers })) {
      rows += row.payload === undefined ? 0 : 1;
    }
    if (rows !== READINGS) throw new Error(`The stream has ${String(rows)} rows.`);
  });
  packExtension();
  const vsCode = await startVsCode({ credentialsFile });
  try {
    const { fleet: tree, quickInput, messages } = vsCode.workbench;
    const panel = new DataPanel(vsCode.page);
    await tree.open();
    await tree.menu('My Fleet', 'fleetwright.data.browse');
    await panel.tab('Readings').click();
    await panel.button('Export All').click();
    await quickInput.pick('CSV');
    const before = hostMemory();
    const memory: number[] = [];
    const started = performance.now();
    await quickInput.enterPath(path);
    // The file gets its final name when it is complete.
    while (!existsSync(path)) {
      if (performance.now() - started > EXPORT_TIMEOUT_MS) throw new Error('It takes too long.');
      memory.push(hostMemory());
      await sleep(POLL_INTERVAL_MS);
    }
    const exported = performance.now() - started;
    await messages.waitForMessage('to readings.csv');
    const lines = await countLines(path);
    if (lines !== READINGS + 1) throw new Error(`The file has ${String(lines)} lines.`);
    report({
      name: `export of ${String(READINGS)} readings to CSV in VS Code`,
      ratio: streamed / exported,
      against: 'the rows a second of the raw stream, thrown away',
      aim: '>= 0.5',
      seconds: Math.round(exported / 1000),
      streamSeconds: Math.round(streamed / 1000),
      bytes: statSync(path).size,
      rowsPerSecond: Math.round((READINGS / exported) * 1000),
      hostMebibytesBefore: before,
      hostMebibytesMostOfFirstFifth: Math.max(...memory.slice(0, memory.length / 5)),
      hostMebibytesMostLater: Math.max(...memory.slice(memory.length / 5)),
    });
    console.log(await vsCode.screenshot('export-in-editor'));
  } finally {
    await vsCode.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
