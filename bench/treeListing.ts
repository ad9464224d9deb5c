import { createClient, type Interceptor } from '@connectrpc/connect';
import { forEachBounded } from '../src/base/bounded';
import { systemClock } from '../src/base/clock';
import { createGrpcWire } from '../src/core/api/grpcWire';
import { grpcOpener } from '../src/core/api/grpcOpener';
import { organizationId } from '../src/core/model/ids';
import { ConnectionStore } from '../src/core/sessions/connectionStore';
import type { OpenTransport } from '../src/core/api/connectionTransport';
import { AppService } from '../src/gen/viam/app/v1/app_pb';
import { FleetTree } from '../src/host/features/fleet/fleetTree';
import type { FleetNode } from '../src/host/features/fleet/nodes/fleetNode';
import { MemoryKeyValue, MemorySecrets } from '../test/support/memoryPorts';
import { type ServiceKey, signIn } from '../test/support/serviceClients';
import { readJson, ServiceProgram } from '../test/support/serviceProgram';
import { silentLogger } from '../test/support/silentLogger';
import { quickOrFull, report, runBenchmark } from './support/figures';

const MACHINES = quickOrFull(2_000, 10_000);
const CALLERS = 16;
const WARM_UP_ROUNDS = 3;
const ROUNDS = quickOrFull(5, 15);

interface OwnerKey extends ServiceKey {
  readonly organizationId: string;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

async function milliseconds(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Wraps a transport and counts its calls. */
function counting(open: OpenTransport, calls: { count: number }): OpenTransport {
  return async (connection, readKey) => {
    const opened = await open(connection, readKey);
    return {
      ...opened,
      transport: {
        unary: (...call) => {
          calls.count += 1;
          return opened.transport.unary(...call);
        },
        stream: (...call) => opened.transport.stream(...call),
      },
    };
  };
}

async function child(tree: FleetTree, parent: FleetNode | undefined, kind: FleetNode['kind']) {
  const found = (await tree.listChildren(parent)).find((node) => node.kind === kind);
  if (!found) throw new Error(`There is no ${kind}.`);
  return found;
}

/**
 * Opens a location and loads all pages of its machines, like a user who wants to see every machine.
 */
async function openToTheEnd(tree: FleetTree, location: FleetNode): Promise<number> {
  for (;;) {
    const nodes = await tree.listChildren(location);
    const last = nodes.at(-1);
    if (last?.kind !== 'loadMore') return nodes.length;
    tree.loadMore(last);
  }
}

/**
 * Measures how long it takes to list the 10,000 machines of a location through connection, stores,
 * and tree, both to the first and to the last page, compared with the bare call.
 */
async function main(): Promise<void> {
  await using program = await ServiceProgram.build();
  const ready = await program.serve('--ephemeral').ready;
  if (ready === undefined) throw new Error('The service did not start.');
  const key = readJson(ready.credentialsFile) as OwnerKey;
  const bearer = `Bearer ${await signIn(key)}`;
  const authorize: Interceptor = (next) => (request) => {
    request.header.set('authorization', bearer);
    return next(request);
  };
  const wire = createGrpcWire(ready.url);
  const client = createClient(AppService, wire.open([authorize]));

  const calls = { count: 0 };
  const connections = new ConnectionStore({
    secrets: new MemorySecrets(),
    global: new MemoryKeyValue(),
    workspace: new MemoryKeyValue(),
    open: counting(
      grpcOpener(silentLogger, () => []),
      calls,
    ),
    logger: silentLogger,
  });
  const { id } = await connections.signIn({
    baseUrl: ready.url,
    keyId: key.apiKeyId,
    key: key.apiKey,
    label: 'bench',
    kind: 'cloud',
  });
  const stores = connections.stores(id);
  const plant = await stores.locations.create(
    organizationId(key.organizationId),
    'Plant',
    undefined,
  );
  const names = Array.from({ length: MACHINES }, (_, index) => `machine-${index}`);
  await forEachBounded(names, CALLERS, async (name) => {
    await client.newRobot({ name, location: plant.id });
  });

  const times: Record<'all' | 'firstPage' | 'bare', number[]> = {
    all: [],
    firstPage: [],
    bare: [],
  };
  let callsPerListing = 0;
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const tree = new FleetTree(connections, systemClock);
    const location = await child(tree, await child(tree, undefined, 'organization'), 'location');
    const bare = await milliseconds(async () => {
      const { robots } = await client.listRobots({ locationId: plant.id });
      if (robots.length !== MACHINES) throw new Error(`The call listed ${robots.length}.`);
    });
    stores.machines.refresh();
    calls.count = 0;
    let firstPage = 0;
    const all = await milliseconds(async () => {
      firstPage = await milliseconds(async () => {
        await tree.listChildren(location);
      });
      const shown = await openToTheEnd(tree, location);
      if (shown !== MACHINES) throw new Error(`The tree shows ${shown}.`);
    });
    callsPerListing = calls.count;
    tree.dispose();
    if (round < 0) continue;
    times.bare.push(bare);
    times.firstPage.push(firstPage);
    times.all.push(all);
  }
  connections.dispose();
  wire.dispose();
  const ratio = (ours: readonly number[]): number =>
    Number(median(ours.map((time, round) => time / (times.bare[round] ?? NaN))).toFixed(3));
  report({
    name: `listing ${String(MACHINES)} machines of a location in the tree`,
    ratio: ratio(times.all),
    against: 'the bare ListRobots call over the same connection',
    aim: '<= 1.3',
    firstPageRatio: ratio(times.firstPage),
    calls: callsPerListing,
    milliseconds: Math.round(median(times.all)),
    bareMilliseconds: Math.round(median(times.bare)),
  });
}

runBenchmark(main);
