import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, ConnectError, createClient, type Interceptor } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { type ServiceKey, signIn } from '../support/serviceClients';
import { readJson, ServiceProgram, type ServiceRun } from '../support/serviceProgram';

const MACHINES = 1000;
const KILLS = 4;
/** A machine takes some milliseconds: a kill falls anywhere into the making of one. */
const LONGEST_DELAY_MS = 5;
const TIMEOUT_MS = 60_000;

/** Set to the number that a failed run has logged, to repeat its moments. */
const SEED = Number(process.env.FLEETWRIGHT_TEST_SEED ?? Date.now() % 1_000_000);

/** A running service and its owner's client. */
class RunningFleet {
  private constructor(
    readonly run: ServiceRun,
    readonly key: ServiceKey & { organizationId: string },
    readonly app: Client<typeof AppService>,
    private readonly session: Http2SessionManager,
  ) {}

  static async start(program: ServiceProgram, directory: string): Promise<RunningFleet> {
    const run = program.serve('--data', directory);
    const ready = await run.ready;
    if (ready === undefined) {
      assert.fail(`the service did not start: ${(await run.ended).stderr}`);
    }
    const key = readJson(ready.credentialsFile) as RunningFleet['key'];
    const authorization = `Bearer ${await signIn(key)}`;
    const bearer: Interceptor = (next) => (request) => {
      request.header.set('authorization', authorization);
      return next(request);
    };
    const sessionManager = new Http2SessionManager(key.url);
    const transport = createGrpcTransport({
      baseUrl: key.url,
      sessionManager,
      interceptors: [bearer],
    });
    return new RunningFleet(run, key, createClient(AppService, transport), sessionManager);
  }

  async kill(): Promise<void> {
    this.run.child.kill('SIGKILL');
    await this.run.ended;
    this.session.abort();
  }

  async stop(): Promise<void> {
    this.session.abort();
    this.run.child.kill('SIGTERM');
    assert.equal((await this.run.ended).exitCode, 0);
  }
}

describe('durability: kill -9 while machines are made', function () {
  this.timeout(TIMEOUT_MS);
  let program: ServiceProgram;

  before(async () => {
    program = await ServiceProgram.build();
  });

  after(async () => {
    await program[Symbol.asyncDispose]();
  });

  it(`keeps each of ${MACHINES} acknowledged machines over ${KILLS} kills, seed ${SEED}`, async () => {
    const random = mulberry32(SEED);
    const directory = program.path();
    let fleet = await RunningFleet.start(program, directory);
    const { organizationId, apiKey } = fleet.key;
    const { location } = await fleet.app.createLocation({ organizationId, name: 'Durable' });
    const locationId = location?.id ?? '';
    const acknowledged = new Map<string, string>();
    const checked = new Set<string>();

    for (let kill = 0; kill < KILLS; kill++) {
      const last = Math.floor(((kill + random()) / (KILLS + 1)) * MACHINES) + 1;
      await makeMachines(fleet, locationId, acknowledged, last);
      const making = makeMachines(fleet, locationId, acknowledged, MACHINES);
      await sleep(random() * LONGEST_DELAY_MS);
      await fleet.kill();
      await making;

      // The lock of the killed process does not keep the next one away.
      fleet = await RunningFleet.start(program, directory);
      assert.equal(fleet.key.apiKey, apiKey);
      await checkMachines(fleet, locationId, acknowledged, checked);
      assert.ok(checked.size <= acknowledged.size + kill + 1, 'more than was asked for');
    }

    await makeMachines(fleet, locationId, acknowledged, MACHINES);
    await checkMachines(fleet, locationId, acknowledged, checked);
    assert.ok(acknowledged.size === MACHINES && checked.size >= MACHINES);
    await fleet.stop();
    checkDatabase(join(directory, 'fleet.db'));
  });
});

/** Makes machines one after the other, until there are enough or the service is gone. */
async function makeMachines(
  { app }: RunningFleet,
  location: string,
  acknowledged: Map<string, string>,
  count: number,
): Promise<void> {
  while (acknowledged.size < count) {
    const name = `machine-${acknowledged.size}`;
    try {
      acknowledged.set((await app.newRobot({ name, location })).id, name);
    } catch (error) {
      assert.ok(error instanceof ConnectError);
      return;
    }
  }
}

/** Each acknowledged machine is there, and each that is there has its part; looks at new ones. */
async function checkMachines(
  { app }: RunningFleet,
  locationId: string,
  acknowledged: ReadonlyMap<string, string>,
  checked: Set<string>,
): Promise<void> {
  const { robots } = await app.listRobots({ locationId });
  const names = new Map(robots.map(({ id, name }) => [id, name]));
  for (const [id, name] of acknowledged) {
    assert.equal(names.get(id), name, `machine ${name} was acknowledged and is gone`);
  }
  const unchecked = robots.filter(({ id }) => !checked.has(id));
  await Promise.all(
    unchecked.map(async ({ id, name }) => {
      checked.add(id);
      const { parts } = await app.getRobotParts({ robotId: id });
      assert.deepEqual(
        parts.map((part) => [part.name, part.mainPart, part.secrets.length]),
        [[`${name}-main`, true, 1]],
      );
    }),
  );
}

/** What no client sees: the file itself is whole, and nothing in it hangs in the air. */
function checkDatabase(path: string): void {
  using database = new DatabaseSync(path, { readOnly: true });
  assert.deepEqual(
    database
      .prepare('pragma integrity_check')
      .all()
      .map((row) => row.integrity_check),
    ['ok'],
  );
  assert.deepEqual(database.prepare('pragma foreign_key_check').all(), []);
  const incomplete = database
    .prepare(
      `select
         (select count(*) from machines where id not in (select machine_id from parts)) as machines,
         (select count(*) from parts where id not in
            (select part_id from secrets where part_id is not null)) as parts`,
    )
    .get();
  assert.deepEqual({ ...incomplete }, { machines: 0, parts: 0 });
}

/** A small generator of numbers in [0, 1) that a seed repeats. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
