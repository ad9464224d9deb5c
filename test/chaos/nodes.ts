// Chaos run of two nodes that share a database with a replica, a bucket, and a NATS server: mixed load
// while nodes are killed and suspended, links are cut or lose all packets, the database fails over, and a
// disk is full. Counts acknowledged writes that are lost or doubled, and gaps in tails.
//   node scripts/pinned.mjs test/chaos/nodes.ts [--minutes 10] [--seed 1] [--rate 1] [--no-namespaces]
// As root on Linux, each node runs in a network namespace of its own, whose links fail like those of a
// real network. Otherwise, and with --no-namespaces, TCP proxies stand in for black holes.
import { parseArgs } from 'node:util';
import { seededRandom } from '../support/seededRandom';
import { ChaosCalls } from './chaosCalls';
import { ChaosLoad } from './chaosLoad';
import { type ChaosPart, createPart } from './chaosParts';
import { openStage, type Stage } from './chaosStage';
import { ChaosTraining } from './chaosTraining';
import { Disturbances } from './disturbances';
import { checkAll } from './finalChecks';
import { ChaosNetwork, runInNamespaces } from './namespaces';
import { Probes } from './probes';

const PARTS = 4;
const MS_PER_MINUTE = 60_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    rate: { type: 'string', default: '1' },
    /** Fails instead of running without namespaces. */
    namespaces: { type: 'boolean' },
    /** Prefix of the names of the namespaces in which the program was started again. */
    inside: { type: 'string' },
  },
  allowNegative: true,
});

async function runChaos(stage: Stage): Promise<void> {
  const random = seededRandom(Number(values.seed));
  const { nodes, database } = stage;
  const calls = new ChaosCalls(nodes, random);
  const parts: ChaosPart[] = [];
  for (let index = 0; index < PARTS; index += 1) {
    parts.push(await createPart(calls, `part ${String(index)}`));
  }
  const [first] = parts;
  if (first === undefined) throw new Error('no part was created');
  const training = new ChaosTraining(calls, nodes[0]);
  await training.prepare(first);
  const probePart = await createPart(calls, 'probe');

  const over = AbortSignal.timeout(Number(values.minutes) * MS_PER_MINUTE);
  const rate = Number(values.rate);
  const load = new ChaosLoad({ calls, nodes, parts, random, rate, over }, first);
  using probes = new Probes(calls, nodes, probePart);
  const disturbances = new Disturbances(stage, calls, random);
  await Promise.all([
    load.run(),
    training.run(over),
    disturbances.run(over, (name) => probes.run(name)),
  ]);
  const tails = await checkAll(calls, load, nodes, parts, database.url);

  const { tallies, queries } = load;
  const delays = probes.lineDelays.toSorted((a, b) => a - b);
  const percentile = (share: number): number | undefined =>
    delays[Math.ceil(delays.length * share) - 1];
  const result = {
    ...values,
    disturbances: disturbances.counts,
    network: stage.network === undefined ? 'proxies' : 'namespaces',
    starts: nodes.map((node) => node.starts),
    recoveriesMs: disturbances.recoveriesMs,
    slowestCall: calls.slowest,
    tallies,
    queries,
    tails,
    lineDelaysMs: { median: percentile(0.5), p95: percentile(0.95), max: percentile(1) },
    lateLines: probes.lateLines,
    imagesOfTheOtherNode: probes.images,
    trainings: training.ended,
    errors: calls.errors,
  };
  console.log(JSON.stringify(result, null, 2));
  const all = [...Object.values(tallies), queries];
  const isGood =
    all.every(({ lost, doubled }) => lost + doubled === 0) &&
    tails.errors === 0 &&
    probes.images.wrong === 0 &&
    probes.lateLines.length === 0 &&
    (training.ended.COMPLETED ?? 0) > 0;
  process.exitCode = isGood ? 0 : 1;
}

async function main(): Promise<void> {
  const { namespaces, inside } = values;
  if (inside === undefined && namespaces !== false) {
    process.exitCode = await runInNamespaces();
    if (process.exitCode !== undefined) return;
    const message =
      'NETWORK NAMESPACES ARE NOT AVAILABLE: run as root on Linux, with ip and iptables';
    if (namespaces === true) throw new Error(message);
    console.error(`${message}. TCP proxies stand in for network failures.`);
  }
  if (inside !== undefined) process.stdin.resume().once('end', () => process.exit(1));
  await using stage = await openStage(inside === undefined ? undefined : new ChaosNetwork(inside));
  await runChaos(stage);
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
