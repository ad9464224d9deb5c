import { createClient, type Interceptor } from '@connectrpc/connect';
import { forEachBounded } from '../src/base/bounded';
import { createGrpcWire } from '../src/core/api/grpcWire';
import { organizationId } from '../src/core/model/ids';
import type { OpenTransport } from '../src/core/api/connectionTransport';
import { AppService } from '../src/gen/viam/app/v1/app_pb';
import { type ServiceKey, signIn } from '../test/support/serviceClients';
import { readJson, ServiceProgram } from '../test/support/serviceProgram';
import { median, milliseconds, quickOrFull, report, runBenchmark } from './support/figures';
import { openToTheEnd, TreeReader } from './support/treeReader';

const MACHINES = quickOrFull(2_000, 10_000);
const CALLERS = 16;
const WARM_UP_ROUNDS = 3;
const ROUNDS = 15;

interface OwnerKey extends ServiceKey {
  readonly organizationId: string;
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
  using reader = await TreeReader.signIn({ ...key, url: ready.url }, (open) =>
    counting(open, calls),
  );
  const { stores } = reader;
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
    const { tree, location } = await reader.openLocation();
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
