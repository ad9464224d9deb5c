import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, ConnectError, createClient } from '@connectrpc/connect';
import { AppService } from '../../../src/gen/viam/app/v1/app_pb';
import { RunningService } from '../../support/runningService';
import { seededRandom } from '../../support/seededRandom';
import { ServiceProgram } from '../../support/serviceProgram';

const MACHINES = 1000;
const KILLS = 4;
/**
 * Creating a machine takes a few milliseconds, so a kill can occur at any point during the
 * creation.
 */
const MAX_DELAY_MS = 5;
const TIMEOUT_MS = 180_000;

/**
 * Seed of the random numbers. To repeat the timing of a failed run, set it to the number that the
 * run logged.
 */
const SEED = Number(process.env.FLEETWRIGHT_TEST_SEED ?? Date.now() % 1_000_000);

describe('durability across kill -9 while machines are created', function () {
  this.timeout(TIMEOUT_MS);
  let program: ServiceProgram;

  before(async () => {
    program = await ServiceProgram.build();
  });

  after(async () => {
    await program[Symbol.asyncDispose]();
  });

  it(`preserves each of ${MACHINES} acknowledged machines over ${KILLS} kills, seed ${SEED}`, async () => {
    const random = seededRandom(SEED);
    const directory = program.path();
    let fleet = await start(program, directory);
    const { organizationId, apiKey } = fleet.key;
    const { location } = await createAppClient(fleet).createLocation({
      organizationId,
      name: 'Durable',
    });
    const locationId = location?.id ?? '';
    const acknowledged = new Map<string, string>();
    const checked = new Set<string>();

    for (let kill = 0; kill < KILLS; kill += 1) {
      const last = Math.floor(((kill + random()) / (KILLS + 1)) * MACHINES) + 1;
      await makeMachines(fleet, locationId, acknowledged, last);
      const making = makeMachines(fleet, locationId, acknowledged, MACHINES);
      await sleep(random() * MAX_DELAY_MS);
      await fleet.kill();
      await making;

      // The killed process's lock must not block the next process.
      fleet = await start(program, directory);
      assert.equal(fleet.key.apiKey, apiKey);
      await checkMachines(fleet, locationId, acknowledged, checked);
      assert.ok(checked.size <= acknowledged.size + kill + 1, 'more than was requested');
    }

    await makeMachines(fleet, locationId, acknowledged, MACHINES);
    await checkMachines(fleet, locationId, acknowledged, checked);
    assert.ok(acknowledged.size === MACHINES && checked.size >= MACHINES);
    await fleet.stop();
    checkDatabase(join(directory, 'fleet.db'));
  });
});

const start = async (program: ServiceProgram, directory: string): Promise<RunningService> =>
  RunningService.of(program.serve('--data', directory));

const createAppClient = ({ transport }: RunningService): Client<typeof AppService> =>
  createClient(AppService, transport);

/** Creates machines one after the other, until there are enough or the service is killed. */
async function makeMachines(
  fleet: RunningService,
  location: string,
  acknowledged: Map<string, string>,
  count: number,
): Promise<void> {
  const app = createAppClient(fleet);
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

/**
 * Checks that every acknowledged machine exists and that every existing machine has its part;
 * checks each machine only once.
 */
async function checkMachines(
  fleet: RunningService,
  locationId: string,
  acknowledged: ReadonlyMap<string, string>,
  checked: Set<string>,
): Promise<void> {
  const app = createAppClient(fleet);
  const { robots } = await app.listRobots({ locationId });
  const names = new Map(robots.map(({ id, name }) => [id, name]));
  for (const [id, name] of acknowledged) {
    assert.equal(names.get(id), name, `machine ${name} was acknowledged but is missing`);
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

/**
 * Checks the database, which clients can't see: the file is intact and contains no orphaned rows.
 */
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
