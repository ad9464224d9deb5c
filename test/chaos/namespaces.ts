import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Folder in which `ip` lists network namespaces. */
const FOLDER = '/run/netns';
const PREFIX = 'fleet-chaos';
const OWN_NAME = new RegExp(`^${PREFIX}-(\\d+)-`);
const BRIDGE = 'bridge';
const NODES = ['a', 'b'] as const;
/** Addresses exist only in the namespaces, so they can't collide with those of this computer. */
const SUBNET_BITS = 24;
const NODE_ADDRESSES = ['10.213.7.101', '10.213.7.102'] as const;
/** Addresses of the servers. Each has its own, so that a node can lose the link to one of them. */
const SERVER_ADDRESSES = {
  database: '10.213.7.11',
  bucket: '10.213.7.12',
  nats: '10.213.7.13',
} as const;

/** A server that both nodes use. */
export type ServerName = keyof typeof SERVER_ADDRESSES;

/** Stops a network failure. */
export type Heal = () => Promise<void>;

const ip = (...args: string[]) => run('ip', args);

/** Removes namespaces and their processes. Interfaces exist only inside them. */
async function removeNamespaces(names: readonly string[]): Promise<void> {
  for (const name of names) {
    if (!existsSync(join(FOLDER, name))) continue;
    const { stdout } = await ip('netns', 'pids', name);
    for (const pid of stdout.split('\n').filter((line) => line !== '')) {
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch {
        // The process has ended.
      }
    }
    await ip('netns', 'delete', name);
  }
}

/** Removes the namespaces of runs that were killed. */
async function removeAbandoned(): Promise<void> {
  const names = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
  await removeNamespaces(
    names.filter((name) => {
      const pid = OWN_NAME.exec(name)?.[1];
      return pid !== undefined && !existsSync(`/proc/${pid}`);
    }),
  );
}

/**
 * Runs this program again in a network namespace of its own, which a bridge joins with a namespace for
 * each node. Removes the namespaces when it has ended.
 * @returns the exit code; undefined if namespaces can't be created here.
 */
export async function runInNamespaces(): Promise<number | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  if (spawnSync('iptables', ['--version']).status !== 0) return undefined;
  const prefix = `${PREFIX}-${String(process.pid)}-`;
  const names = ['hub', ...NODES].map((name) => prefix + name);
  const [hub = ''] = names;
  try {
    await removeAbandoned();
    await createNamespaces(prefix, hub);
  } catch (error) {
    console.error(String(error));
    await removeNamespaces(names);
    return undefined;
  }
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  // The program exits when its stdin is closed, regardless of how this process ends.
  const program = spawn('ip', ['netns', 'exec', hub, ...command, '--inside', prefix], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => program.kill(signal));
  }
  const [code] = (await once(program, 'exit')) as [number | null];
  await removeNamespaces(names);
  return code ?? 1;
}

async function createNamespaces(prefix: string, hub: string): Promise<void> {
  await ip('netns', 'add', hub);
  await ip('-n', hub, 'link', 'set', 'lo', 'up');
  await ip('-n', hub, 'link', 'add', BRIDGE, 'type', 'bridge');
  await ip('-n', hub, 'link', 'set', BRIDGE, 'up');
  for (const address of Object.values(SERVER_ADDRESSES)) {
    const subnet = `${address}/${String(SUBNET_BITS)}`;
    await ip('-n', hub, 'address', 'add', subnet, 'dev', BRIDGE);
  }
  for (const [index, node] of NODES.entries()) {
    const name = prefix + node;
    await ip('netns', 'add', name);
    await ip('-n', name, 'link', 'set', 'lo', 'up');
    const peer = ['peer', 'name', 'eth0', 'netns', name];
    await ip('-n', hub, 'link', 'add', `link-${node}`, 'type', 'veth', ...peer);
    await ip('-n', hub, 'link', 'set', `link-${node}`, 'master', BRIDGE, 'up');
    const subnet = `${NODE_ADDRESSES[index] ?? ''}/${String(SUBNET_BITS)}`;
    await ip('-n', name, 'address', 'add', subnet, 'dev', 'eth0');
    await ip('-n', name, 'link', 'set', 'eth0', 'up');
  }
}

/** Network of a node in a namespace of its own, whose packets can get lost. */
export class NodeNetwork {
  /** Address of the node. */
  readonly address: string;
  private readonly name: string;
  private readonly link: string;

  /** @param prefix prefix of the names of this run's namespaces. */
  constructor(prefix: string, index: 0 | 1) {
    this.address = NODE_ADDRESSES[index];
    this.name = prefix + NODES[index];
    this.link = `link-${NODES[index]}`;
  }

  /** Prefix of the command line of programs that run on the node. */
  get command(): readonly string[] {
    return ['ip', 'netns', 'exec', this.name];
  }

  /** Loses all packets to a server and from it. */
  async dropAll(server: ServerName): Promise<Heal> {
    const address = SERVER_ADDRESSES[server];
    const heals = [
      await this.drop('OUTPUT', '--destination', address),
      await this.drop('INPUT', '--source', address),
    ];
    return async () => {
      for (const heal of heals) await heal();
    };
  }

  /** Loses all packets from a server, which still receives those of the node. */
  dropResponses(server: ServerName): Promise<Heal> {
    return this.drop('INPUT', '--source', SERVER_ADDRESSES[server]);
  }

  /** Loses a share of all received packets. */
  dropSome(probability: number): Promise<Heal> {
    const match = ['--match', 'statistic', '--mode', 'random'];
    return this.drop('INPUT', ...match, '--probability', String(probability));
  }

  /** Loses all packets to and from the node. */
  async unplug(): Promise<Heal> {
    // This program runs in the namespace with the bridge.
    await ip('link', 'set', this.link, 'down');
    return async () => {
      await ip('link', 'set', this.link, 'up');
    };
  }

  /** Delays all packets from the node by changing times, which also reorders them. */
  async delay(): Promise<Heal> {
    const device = ['dev', 'eth0', 'root', 'netem'];
    const tc = (action: string, ...args: string[]) =>
      ip('netns', 'exec', this.name, 'tc', 'qdisc', action, ...device, ...args);
    await tc('add', 'delay', '100ms', '50ms', 'loss', '2%');
    return async () => {
      await tc('delete');
    };
  }

  private async drop(chain: string, ...rule: string[]): Promise<Heal> {
    const iptables = (action: string) =>
      ip('netns', 'exec', this.name, 'iptables', '-w', action, chain, ...rule, '-j', 'DROP');
    await iptables('--insert');
    return async () => {
      await iptables('--delete');
    };
  }
}

/** Networks of both nodes, if this program runs in a namespace. */
export class ChaosNetwork {
  readonly nodes: readonly [NodeNetwork, NodeNetwork];
  readonly serverAddresses = SERVER_ADDRESSES;

  constructor(prefix: string) {
    this.nodes = [new NodeNetwork(prefix, 0), new NodeNetwork(prefix, 1)];
  }

  /** Returns true if the kernel can delay packets, for which it needs the module sch_netem. */
  readonly canDelay = async (): Promise<boolean> => {
    try {
      const heal = await this.nodes[0].delay();
      await heal();
      return true;
    } catch {
      return false;
    }
  };
}
