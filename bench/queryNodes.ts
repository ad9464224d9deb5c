import { randomBytes } from 'node:crypto';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { createClient } from '@connectrpc/connect';
import { DataService } from '../src/gen/viam/app/data/v1/data_pb';
import { DataSyncService, DataType } from '../src/gen/viam/app/datasync/v1/data_sync_pb';
import { newPart } from '../test/contract/kills/faults/newPart';
import { objectStoreForTests } from '../test/support/objectStore';
import { postgresForTests } from '../test/support/postgres';
import { RunningService } from '../test/support/runningService';
import { ServiceProgram } from '../test/support/serviceProgram';
import { median, quickOrFull, report, runBenchmark } from './support/figures';
import {
  listDescendants,
  readTotalProcessorTime,
  readProcessorTimeWithChildren,
} from './support/processUsage';

const READINGS = 300_000;
const READINGS_AT_ONCE = 2_000;
const START_MS = Date.UTC(2026, 0, 1);
const ROUNDS = quickOrFull(4, 14);
const ROUND_MS = quickOrFull(4_000, 5_000);
const WARM_UP_MS = 4_000;
/** Number of queries in progress on each node, which is the limit for one organization. */
const QUERIES_PER_NODE = 2;

const SQL = `select date_trunc('hour', time_received) as hour, data.readings.state as state,
    avg(cast(data.readings.temperature as double)) as temperature,
    max(cast(data.readings.humidity as integer)) as humidity, count(*) as count
  from readings where data.readings.temperature > 21 group by all order by hour, state limit 100`;

/** Throughput of a round, and processor time in milliseconds per millisecond. */
interface Round {
  perSecond: number;
  nodes: number;
  client: number;
  /** All other programs, including the database and the bucket. */
  others: number;
}

/** Returns the processor time of services and their query processes in milliseconds. */
function readNodesProcessorTime(services: readonly RunningService[]): number {
  const pids = services.map(({ run }) => Number(run.child.pid));
  const all = pids.flatMap((pid) => [pid, ...listDescendants(pid)]);
  return all.reduce((sum, pid) => sum + readProcessorTimeWithChildren(pid), 0);
}

async function upload(service: RunningService): Promise<void> {
  const partId = await newPart(service);
  const sync = createClient(DataSyncService, service.transport);
  for (let first = 0; first < READINGS; first += READINGS_AT_ONCE) {
    await sync.dataCaptureUpload({
      metadata: {
        partId,
        componentType: 'rdk:component:sensor',
        componentName: 'climate',
        methodName: 'Readings',
        type: DataType.TABULAR_SENSOR,
      },
      sensorContents: Array.from({ length: READINGS_AT_ONCE }, (_, index) => {
        const n = first + index;
        const time = timestampFromMs(START_MS + n * 1000);
        const readings = {
          temperature: 20 + (n % 100) / 10,
          humidity: 40 + (n % 7),
          state: n % 50 === 0 ? 'heating' : 'idle',
        };
        return {
          metadata: { timeRequested: time, timeReceived: time },
          data: { case: 'struct', value: { readings } },
        };
      }),
    });
  }
}

async function query({ transport, key: { organizationId } }: RunningService): Promise<void> {
  const data = createClient(DataService, transport);
  const { rawData } = await data.tabularDataBySQL({ organizationId, sqlQuery: SQL });
  if (rawData.length !== 100) throw new Error(`${String(rawData.length)} rows`);
}

/** Keeps queries in progress on each node for a time. */
async function measure(services: readonly RunningService[], durationMs: number): Promise<Round> {
  const start = performance.now();
  const end = start + durationMs;
  const [totalBefore, clientBefore] = [readTotalProcessorTime(), process.cpuUsage()];
  const nodesBefore = readNodesProcessorTime(services);
  let count = 0;
  await Promise.all(
    services.flatMap((service) =>
      Array.from({ length: QUERIES_PER_NODE }, async () => {
        while (performance.now() < end) {
          await query(service);
          count += 1;
        }
      }),
    ),
  );
  const elapsed = performance.now() - start;
  const { user, system } = process.cpuUsage(clientBefore);
  const client = (user + system) / 1000 / elapsed;
  const nodes = (readNodesProcessorTime(services) - nodesBefore) / elapsed;
  const total = (readTotalProcessorTime() - totalBefore) / elapsed;
  return { perSecond: (count * 1000) / elapsed, nodes, client, others: total - nodes - client };
}

/**
 * Compares the query throughput of two nodes with that of one. Each node, with its query processes,
 * has one core, so that this doesn't need a computer for each. The client, the database, and the
 * bucket share these cores: queries of cached files use the bucket for nothing, and the others so
 * little that it is only reported. Rounds with one and with two nodes alternate, because other
 * programs can use the cores, too. Requires Linux, Ceph, and two cores.
 */
runBenchmark(async () => {
  process.env.FLEETWRIGHT_SECRETS_KEY = randomBytes(32).toString('base64');
  await using stack = new AsyncDisposableStack();
  const objects = await (await objectStoreForTests()).createBucket();
  const postgres = await postgresForTests();
  stack.defer(() => postgres.stop());
  const databaseUrl = await postgres.url();
  const program = stack.use(await ServiceProgram.build());
  const start = (core: number): Promise<RunningService> => {
    program.command = ['taskset', '--cpu-list', String(core)];
    const options = ['--data', program.path(), '--database-url', databaseUrl];
    return RunningService.of(program.serve(...options, '--objects', objects));
  };
  const first = await start(0);
  const second = await start(1);
  await upload(first);
  // Seals the readings, downloads the files to each node, and starts the query processes.
  for (const service of [first, second]) await query(service);
  await measure([first, second], WARM_UP_MS);

  const rounds: { one: Round; two: Round }[] = [];
  for (let index = 0; index < ROUNDS; index += 1) {
    const two = index % 2 === 0 ? undefined : await measure([first, second], ROUND_MS);
    const one = await measure([first], ROUND_MS);
    rounds.push({ one, two: two ?? (await measure([first, second], ROUND_MS)) });
  }
  const summarize = (nodes: 'one' | 'two', figure: keyof Round): number =>
    Number(median(rounds.map((round) => round[nodes][figure])).toFixed(2));
  const ratios = rounds.map(({ one, two }) => two.perSecond / one.perSecond);
  const perProcessorTime = rounds.map(
    ({ one, two }) => two.perSecond / two.nodes / (one.perSecond / one.nodes),
  );
  report({
    name: `Queries of two nodes over ${String(READINGS)} readings`,
    ratio: median(ratios),
    against: 'one node, each with one core',
    aim: '>= 1.7',
    spread: [Math.min(...ratios), Math.max(...ratios)].map((ratio) => Number(ratio.toFixed(2))),
    perSecond: [summarize('one', 'perSecond'), summarize('two', 'perSecond')],
    coresOfNodes: [summarize('one', 'nodes'), summarize('two', 'nodes')],
    coresOfClient: [summarize('one', 'client'), summarize('two', 'client')],
    coresOfOthers: [summarize('one', 'others'), summarize('two', 'others')],
    queriesPerProcessorTime: Number(median(perProcessorTime).toFixed(2)),
  });
});
