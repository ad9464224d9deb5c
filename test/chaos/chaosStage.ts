import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { getErrorCode } from '../../src/base/errorCode';
import { NatsTestServer } from '../support/natsServer';
import { objectStoreForTests } from '../support/objectStore';
import { ReplicatedPostgres } from '../support/replicatedPostgres';
import { ServiceProgram } from '../support/serviceProgram';
import { mountSmallDisk, type SmallDisk } from '../support/smallDisk';
import { waitUntil } from '../support/waitUntil';
import { ChaosNode } from './chaosNode';
import { Link } from './link';
import type { ChaosNetwork, Heal } from './namespaces';

const KEY_BYTES = 32;
/** Options without the limits that the service has by default if other computers can reach it. */
const UNLIMITED = ['--rate-limit-per-key', '0', '--rate-limit-per-address', '0'];
const DISK_MEBIBYTES = 192;
const FILLING_BYTES = [1024 * 1024, 1024];
const LOST_SHARE = 0.3;

/** Starts a network failure of a node. */
export type NetworkFailure = (node: 0 | 1) => Promise<Heal>;

/**
 * Two running nodes, with the servers that they use and the links to them. Training jobs run only on
 * the second node. The data directory of the first one is on a small disk.
 */
export interface Stage extends AsyncDisposable {
  readonly nodes: readonly [ChaosNode, ChaosNode];
  readonly nats: NatsTestServer;
  readonly natsLink: Link;
  readonly bucketLink: Link;
  readonly database: ReplicatedPostgres;
  /** Networks of the nodes; undefined if they run in the network of this computer. */
  readonly network: ChaosNetwork | undefined;
  /** Failures by name in which packets are lost, but no connection is reset. */
  readonly networkFailures: Readonly<Record<string, NetworkFailure>>;
  /** Fills the disk of the first node. Returns a function that frees the space. */
  fillDisk(): () => void;
}

export async function openStage(network: ChaosNetwork | undefined): Promise<Stage> {
  process.env.FLEETWRIGHT_SECRETS_KEY = randomBytes(KEY_BYTES).toString('base64');
  const stack = new AsyncDisposableStack();
  const nats = stack.use(await NatsTestServer.start());
  const bucketUrl = await (await objectStoreForTests()).createBucket();
  const database = stack.use(await ReplicatedPostgres.start());
  const endpoint = new URL(bucketUrl).searchParams.get('endpoint') ?? '';
  const bucketLink = stack.use(await Link.toUrl(endpoint, network?.serverAddresses.bucket));
  const natsLink = stack.use(await Link.toUrl(nats.url, network?.serverAddresses.nats));
  const objects = new URL(bucketUrl);
  objects.searchParams.set('endpoint', new URL(bucketLink.rewrite(endpoint)).origin);
  const disk = stack.use(await mountSmallDisk(DISK_MEBIBYTES));

  const startNode = async (
    index: 0 | 1,
    data: (program: ServiceProgram) => string,
    role: string,
    onDisk?: SmallDisk,
  ): Promise<ChaosNode> => {
    const program = stack.use(await ServiceProgram.build());
    const nodeNetwork = network?.nodes[index];
    program.command = [...(nodeNetwork?.command ?? []), ...(onDisk?.command ?? [])];
    const databaseLink = stack.use(
      await Link.toUrl(database.url, network?.serverAddresses.database),
    );
    const options = [
      ...['--data', data(program), '--database-url', databaseLink.rewrite(database.url)],
      ...['--objects', objects.href, '--objects-cache-size', '64MiB'],
      ...['--nats-url', natsLink.rewrite(nats.url), '--role', role, '--allow-custom-training'],
      ...['--log-level', 'warn'],
      ...(nodeNetwork === undefined ? [] : ['--host', nodeNetwork.address, ...UNLIMITED]),
    ];
    const toLocalPath = (path: string): string =>
      onDisk === undefined ? path : path.replace(onDisk.inside, onDisk.path);
    const node = new ChaosNode(program, options, databaseLink, toLocalPath);
    stack.defer(() => node.close());
    return node;
  };
  const first = await startNode(0, () => join(disk.inside, 'data'), 'query', disk);
  const second = await startNode(1, (program) => program.path(), 'all');
  const nodes = [first, second] as const;
  await waitUntil(() => nodes.every(({ connection }) => connection !== undefined));
  return {
    nodes,
    nats,
    natsLink,
    bucketLink,
    database,
    network,
    networkFailures:
      network === undefined
        ? proxyFailures({ nodes, bucketLink, natsLink })
        : await namespaceFailures(network),
    fillDisk: () => fill(disk.path),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Failures of links whose proxies forward nothing. */
function proxyFailures({
  nodes,
  bucketLink,
  natsLink,
}: Pick<Stage, 'nodes' | 'bucketLink' | 'natsLink'>): Stage['networkFailures'] {
  const blackHole = (link: Link): Promise<Heal> => {
    link.blackHole();
    return Promise.resolve(() => {
      link.heal();
      return Promise.resolve();
    });
  };
  return {
    dropDatabase: (node) => blackHole(nodes[node].databaseLink),
    dropBucket: () => blackHole(bucketLink),
    dropNats: () => blackHole(natsLink),
  };
}

async function namespaceFailures({
  nodes,
  canDelay,
}: ChaosNetwork): Promise<Stage['networkFailures']> {
  const failures: Record<string, NetworkFailure> = {
    dropDatabase: (node) => nodes[node].dropAll('database'),
    dropDatabaseResponses: (node) => nodes[node].dropResponses('database'),
    dropBucket: (node) => nodes[node].dropAll('bucket'),
    dropNats: (node) => nodes[node].dropAll('nats'),
    dropSomePackets: (node) => nodes[node].dropSome(LOST_SHARE),
    unplugNode: (node) => nodes[node].unplug(),
  };
  if (await canDelay()) failures.delayPackets = (node) => nodes[node].delay();
  else console.error('PACKETS ARE NOT DELAYED: the kernel has no module sch_netem');
  return failures;
}

/** Fills a disk with a file. Returns a function that deletes the file. */
function fill(folder: string): () => void {
  const path = join(folder, 'others');
  const file = openSync(path, 'w');
  try {
    for (const size of FILLING_BYTES) writeUntilFull(file, Buffer.alloc(size));
  } finally {
    closeSync(file);
  }
  return () => rmSync(path);
}

function writeUntilFull(file: number, chunk: Buffer): void {
  try {
    for (;;) writeSync(file, chunk);
  } catch (error) {
    if (getErrorCode(error) !== 'ENOSPC') throw error;
  }
}
