import { createClient } from '@connectrpc/connect';
import type { CurvePoint } from '../scripts/support/benchResults';
import { CaptureBrowse } from '../src/core/data/captureBrowse';
import { everyCapture } from '../src/core/model/captureFilter';
import { organizationId } from '../src/core/model/ids';
import { DataService } from '../src/gen/viam/app/data/v1/data_pb';
import { BenchFleet } from './support/benchFleet';
import { BenchStores } from './support/benchStores';
import { fillBinaryData, fillMachines, fillModules, fillReadings } from './support/bulkData';
import { median, milliseconds, quickOrFull, report, runBenchmark } from './support/figures';
import { TailFan } from './support/tailFan';
import { openToTheEnd, TreeReader } from './support/treeReader';

/** Sizes of the demo fleet with one open log panel. */
const DEMO = { machines: 41, tails: 1, readings: 3_384, images: 326, modules: 2 };
const SCALES = [1, 10, 100].slice(quickOrFull(1, 0)).map((scale) => scale * quickOrFull(1, 10));
const ROUNDS = quickOrFull(5, 9);
const WARM_UP_ROUNDS = 3;
/** Number of lines that every tail receives in a round. */
const LINES = 200;
const FIRST_PAGE = 100;
/** Lower limit of an operation's memory in MiB. Smaller values vary too much between runs. */
const MIN_MEBIBYTES = 8;

const SQL = `select data.readings.state as state, count(*) as count,
    avg(cast(data.readings.temperature as double)) as temperature
  from readings group by all order by state`;

/** An operation that is measured on fleets of different sizes. */
interface Operation {
  readonly name: string;
  readonly unit: keyof typeof DEMO;
  /** Runs the operation repeatedly; returns the duration of each run in milliseconds. */
  readonly measure: (fleet: BenchFleet, size: number) => Promise<readonly number[]>;
}

const OPERATIONS: readonly Operation[] = [
  { name: 'listing machines in the tree', unit: 'machines', measure: listMachines },
  { name: 'sending log lines to all tails', unit: 'tails', measure: sendToTails },
  { name: 'counting readings', unit: 'readings', measure: countReadings },
  { name: 'querying readings', unit: 'readings', measure: queryReadings },
  { name: 'listing the first page of filtered images', unit: 'images', measure: listImages },
  { name: 'listing modules', unit: 'modules', measure: listModules },
];

/** Warms up, and returns the duration of each of the subsequent rounds. */
async function repeat(work: () => Promise<void>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const time = await milliseconds(work);
    if (round >= 0) times.push(time);
  }
  return times;
}

function requireCount(what: string, actual: number, expected: number): void {
  if (actual !== expected) throw new Error(`${what}: ${actual} instead of ${expected}.`);
}

async function listMachines({ key }: BenchFleet, size: number): Promise<readonly number[]> {
  using reader = await TreeReader.signIn(key);
  const { tree, location } = await reader.openLocation();
  const times = await repeat(async () => {
    reader.stores.machines.refresh();
    // The tree also contains the machine that captured the data.
    requireCount('Machines in the tree', await openToTheEnd(tree, location), size + 1);
  });
  tree.dispose();
  return times;
}

async function sendToTails(fleet: BenchFleet, size: number): Promise<readonly number[]> {
  await using tails = await TailFan.open(fleet, size);
  return await repeat(() => tails.send(LINES));
}

async function countReadings(fleet: BenchFleet, size: number): Promise<readonly number[]> {
  using opened = new BenchStores(fleet);
  const filter = { ...everyCapture, componentName: 'climate' };
  return await repeat(async () => {
    requireCount('Readings', await opened.stores.readings.count(filter), size);
  });
}

async function queryReadings(fleet: BenchFleet, size: number): Promise<readonly number[]> {
  const data = createClient(DataService, fleet.transport());
  const { organizationId: organization } = fleet.key;
  return await repeat(async () => {
    const request = { organizationId: organization, sqlQuery: SQL };
    const { rawData } = await data.tabularDataBySQL(request, { headers: fleet.headers });
    requireCount('States of readings', rawData.length, Math.min(size, 2));
  });
}

async function listImages(fleet: BenchFleet, size: number): Promise<readonly number[]> {
  using opened = new BenchStores(fleet);
  const { binaryData, readings } = opened.stores;
  return await repeat(async () => {
    const filter = { ...everyCapture, componentName: 'cam' };
    const browse = new CaptureBrowse({ binaryData, readings }, filter);
    const [items, total] = await Promise.all([
      browse.listing('images').read(0, FIRST_PAGE),
      browse.total('images'),
    ]);
    requireCount('Images on the first page', items.length, FIRST_PAGE);
    requireCount('Images', total.count, size);
    browse.dispose();
  });
}

async function listModules(fleet: BenchFleet, size: number): Promise<readonly number[]> {
  using opened = new BenchStores(fleet);
  const { registry } = opened.stores;
  const organization = organizationId(fleet.key.organizationId);
  return await repeat(async () => {
    registry.refresh();
    requireCount('Modules', (await registry.list(organization)).length, size);
  });
}

interface ScalePoint extends CurvePoint {
  /** Memory of the service before the operation. */
  readonly idleMebibytes: number;
}

/** Measures all operations on a fleet that is larger than the demo fleet by a factor. */
async function measureScale(scale: number): Promise<readonly ScalePoint[]> {
  await using fleet = await BenchFleet.start();
  const { databaseFile, part, key } = fleet;
  await fleet.whileStopped(async () => {
    await fillMachines(databaseFile, part.location_id, DEMO.machines * scale);
    await fillReadings(databaseFile, part, DEMO.readings * scale);
    await fillBinaryData(databaseFile, part, DEMO.images * scale);
    await fillModules(databaseFile, key.organizationId, DEMO.modules * scale);
  });
  const points: ScalePoint[] = [];
  for (const [index, { unit, measure }] of OPERATIONS.entries()) {
    // After a restart, the peak memory is that of the next operation only.
    if (index > 0) await fleet.whileStopped(() => Promise.resolve());
    const size = DEMO[unit] * scale;
    const idleMebibytes = fleet.totalPeakMemory();
    const times = await measure(fleet, size);
    points.push({
      scale,
      size,
      milliseconds: Number(median(times).toFixed(2)),
      mebibytes: fleet.totalPeakMemory(),
      idleMebibytes,
    });
  }
  return points;
}

/**
 * Measures time and memory at 10, 100, and 1,000 times the size of the demo fleet, or at 10 and 100
 * times with `--quick`. Between the last two sizes, neither should grow faster than the size: the
 * exponent of the growth is 1 if it is proportional to the size, and 2 if it is quadratic. The memory
 * of the idle service doesn't count.
 */
runBenchmark(async () => {
  const byScale: (readonly ScalePoint[])[] = [];
  for (const scale of SCALES) byScale.push(await measureScale(scale));
  OPERATIONS.forEach(({ name, unit }, index) => {
    const points = byScale.flatMap((all) => all[index] ?? []);
    const [small, large] = points.slice(-2);
    if (small === undefined || large === undefined) throw new Error('Two sizes are missing.');
    const exponent = (getFigure: (point: ScalePoint) => number): number =>
      Math.log(getFigure(large) / getFigure(small)) / Math.log(large.size / small.size);
    const from = `the same with ${small.size.toLocaleString('en-US')} ${unit}`;
    const at = `${name}, ${large.size.toLocaleString('en-US')} ${unit}`;
    report({
      name: `growth exponent of the time: ${at}`,
      ratio: exponent((point) => point.milliseconds),
      against: from,
      aim: '<= 1.1',
      curve: { name, unit, points },
    });
    report({
      name: `growth exponent of the memory of the service: ${at}`,
      ratio: exponent(({ mebibytes, idleMebibytes }) =>
        Math.max(MIN_MEBIBYTES, mebibytes - idleMebibytes),
      ),
      against: from,
      aim: '<= 1.1',
    });
  });
});
