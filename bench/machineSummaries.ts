import { Code, ConnectError, createClient, type Interceptor } from '@connectrpc/connect';
import { forEachBounded } from '../src/base/bounded';
import { systemClock } from '../src/base/clock';
import type { OpenTransport } from '../src/core/api/connectionTransport';
import { grpcOpener } from '../src/core/api/grpcOpener';
import { createGrpcWire } from '../src/core/api/grpcWire';
import { ConnectionStore } from '../src/core/sessions/connectionStore';
import { AppService } from '../src/gen/viam/app/v1/app_pb';
import { FindIndex } from '../src/host/features/find/findIndex';
import { FleetCrawler } from '../src/host/features/find/fleetCrawler';
import { PLAIN } from '../src/host/features/fleet/arrangement';
import { FleetTree } from '../src/host/features/fleet/fleetTree';
import { MemoryKeyValue, MemorySecrets } from '../test/support/memoryPorts';
import { type ServiceKey, signIn } from '../test/support/serviceClients';
import { readJson, ServiceProgram } from '../test/support/serviceProgram';
import { silentLogger } from '../test/support/silentLogger';
import { median, milliseconds, quickOrFull, report, runBenchmark } from './support/figures';

const MACHINES = quickOrFull(500, 10_000);
/** A machine uses the fragment if its index is divisible by this number. */
const USE_EVERY = 10;
const CALLERS = 16;
const ROUNDS = 3;
const BASELINE = 'the same connection to a service without summaries';

interface OwnerKey extends ServiceKey {
  readonly organizationId: string;
}

/** Creates the machines, and a fragment that some of them use. Returns its ID. */
async function createMachines(key: OwnerKey, url: string): Promise<string> {
  const bearer = `Bearer ${await signIn(key)}`;
  const authorize: Interceptor = (next) => (request) => {
    request.header.set('authorization', bearer);
    return next(request);
  };
  const wire = createGrpcWire(url);
  const app = createClient(AppService, wire.open([authorize]));
  const { organizationId } = key;
  const { location } = await app.createLocation({ organizationId, name: 'Plant' });
  const { fragment } = await app.createFragment({ organizationId, name: 'base' });
  const fragmentId = fragment?.id ?? '';
  const indexes = Array.from({ length: MACHINES }, (_, index) => index);
  await forEachBounded(indexes, CALLERS, async (index) => {
    const { id } = await app.newRobot({ name: `machine-${index}`, location: location?.id ?? '' });
    if (index % USE_EVERY !== 0) return;
    const { parts } = await app.getRobotParts({ robotId: id });
    const [{ id: partId, name } = { id: '', name: '' }] = parts;
    const robotConfigJson = JSON.stringify({ fragments: [fragmentId] });
    await app.updateRobotPart({ id: partId, name, robotConfigJson });
  });
  wire.dispose();
  return fragmentId;
}

/** Signed-in connection that counts its calls. */
class Caller implements Disposable {
  calls = 0;
  private readonly sessions = new ConnectionStore({
    secrets: new MemorySecrets(),
    global: new MemoryKeyValue(),
    workspace: new MemoryKeyValue(),
    open: this.wrap(grpcOpener(silentLogger, () => [])),
    logger: silentLogger,
  });

  /** @param hasSummaries false for a service that rejects ListMachineSummaries */
  constructor(private readonly hasSummaries: boolean) {}

  async signIn(url: string, key: OwnerKey): Promise<void> {
    await this.sessions.signIn({
      baseUrl: url,
      keyId: key.apiKeyId,
      key: key.apiKey,
      label: 'bench',
      kind: 'cloud',
    });
  }

  /** Groups the machines by fragment, as if the user opened the group of the fragment. */
  async group(fragmentId: string): Promise<void> {
    this.clearCaches();
    const tree = new FleetTree(this.sessions, systemClock);
    tree.arrange({ ...PLAIN, grouping: 'fragment' });
    const listGroups = async () => {
      const [organization] = await tree.listChildren(undefined);
      const nodes = await tree.listChildren(organization);
      const groups = nodes.filter((node) => node.kind === 'machineGroup');
      return groups.find(({ key }) => key === `fragment/${fragmentId}`);
    };
    await tree.listChildren(await listGroups());
    const count = (await listGroups())?.count;
    if (count !== MACHINES / USE_EVERY) throw new Error(`The group contains ${count} machines.`);
    tree.dispose();
  }

  /** Finds a part by its name. */
  async find(): Promise<void> {
    this.clearCaches();
    const index = new FindIndex();
    const [connection] = this.sessions.connections;
    if (!connection) throw new Error('There is no connection.');
    const listener = {
      found: (entries: Parameters<FindIndex['add']>[0]) => index.add(entries),
      progress: () => undefined,
    };
    const stores = this.sessions.stores(connection.id);
    const { signal } = new AbortController();
    const crawler = new FleetCrawler(connection.id, stores, listener, signal);
    await crawler.crawlMachines();
    await crawler.crawlParts();
    const { total } = index.search(`machine-${MACHINES - 1}-main`, 10);
    if (total !== 1) throw new Error(`The search found ${total} parts.`);
  }

  [Symbol.dispose](): void {
    this.sessions.dispose();
  }

  private clearCaches(): void {
    for (const { id } of this.sessions.connections) this.sessions.stores(id).refresh();
    this.calls = 0;
  }

  private wrap(open: OpenTransport): OpenTransport {
    return async (connection, readKey) => {
      const opened = await open(connection, readKey);
      return {
        ...opened,
        transport: {
          unary: (method, ...call) => {
            this.calls += 1;
            if (!this.hasSummaries && method.name === 'ListMachineSummaries') {
              throw new ConnectError('not implemented', Code.Unimplemented);
            }
            return opened.transport.unary(method, ...call);
          },
          stream: (...call) => opened.transport.stream(...call),
        },
      };
    };
  }
}

/**
 * Measures how long it takes to group 10,000 machines by fragment, and to find a part by its name,
 * with nothing cached. Without summaries, both need a call for each machine.
 */
async function main(): Promise<void> {
  await using program = await ServiceProgram.build();
  const ready = await program.serve('--ephemeral').ready;
  if (ready === undefined) throw new Error('The service did not start.');
  const key = readJson(ready.credentialsFile) as OwnerKey;
  const fragmentId = await createMachines(key, ready.url);
  using ours = new Caller(true);
  using bare = new Caller(false);
  for (const caller of [ours, bare]) await caller.signIn(ready.url, key);
  const tasks = [
    [
      `grouping ${MACHINES.toLocaleString('en-US')} machines by fragment`,
      (caller: Caller) => caller.group(fragmentId),
    ],
    [
      `finding a part among ${MACHINES.toLocaleString('en-US')} machines by name`,
      (caller: Caller) => caller.find(),
    ],
  ] as const;
  for (const [name, run] of tasks) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      times.push(await milliseconds(() => run(ours)));
    }
    const baseline = await milliseconds(() => run(bare));
    report({
      name,
      ratio: median(times) / baseline,
      against: BASELINE,
      aim: '<= 0.2',
      milliseconds: Math.round(median(times)),
      slowestMilliseconds: Math.round(Math.max(...times)),
      calls: ours.calls,
      baselineMilliseconds: Math.round(baseline),
      baselineCalls: bare.calls,
    });
  }
}

runBenchmark(main);
