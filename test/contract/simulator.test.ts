import assert from 'node:assert/strict';
import { createClient } from '@connectrpc/connect';
import { LogOrder } from '../../src/gen/viam/app/v1/log_pb';
import { OnlineState } from '../../src/gen/viam/app/v1/machine_pb';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { DataService } from '../../src/gen/viam/app/data/v1/data_pb';
import { RunningService } from '../support/runningService';
import { ServiceProgram } from '../support/serviceProgram';
import { waitForValue, waitUntil } from '../support/waitUntil';

const TIMEOUT_MS = 120_000;
/** Longer than usual, because the checks read many lines. */
const POLLING = { pollMs: 100 };

describe('service simulate', function () {
  this.timeout(TIMEOUT_MS);
  let program: ServiceProgram;

  before(async () => {
    program = await ServiceProgram.build();
  });

  after(async () => {
    await program[Symbol.asyncDispose]();
  });

  it('runs machines that log, send data, and restart on request', async () => {
    const run = program.serve('--data', program.path());
    const { key, transport } = await RunningService.of(run);
    const credentialsFile = (await run.ready)?.credentialsFile ?? '';
    const app = createClient(AppService, transport);
    const data = createClient(DataService, transport);

    const simulator = program.run(
      'simulate',
      '--credentials',
      credentialsFile,
      '--machines',
      '2',
      '--absences-per-hour',
      '0',
      '--lines-per-second',
      '50',
      '--readings-every',
      '1',
      '--clouds-every',
      '0',
    );
    const robots = await waitForValue(async () => {
      const { locations } = await app.listLocations({ organizationId: key.organizationId });
      const lists = await Promise.all(
        locations.map(({ id: locationId }) => app.listRobots({ locationId })),
      );
      const found = lists.flatMap((list) => list.robots);
      return found.length === 2 && found.every((one) => one.onlineState === OnlineState.ONLINE)
        ? found
        : undefined;
    }, POLLING);
    const [robot] = robots;
    const { parts } = await app.getRobotParts({ robotId: robot?.id ?? '' });
    const id = parts[0]?.id ?? '';
    await waitUntil(async () => {
      const { count } = await data.tabularDataByFilter({ countOnly: true });
      const images = await data.binaryDataByFilter({ countOnly: true, includeBinary: false });
      return count > 0n && images.count > 0n;
    }, POLLING);

    await app.markPartForRestart({ partId: id });
    const lines = await waitForValue(async () => {
      const { logs } = await app.getRobotPartLogs({
        id,
        order: LogOrder.ASCENDING,
        limit: 10_000n,
      });
      const starts = logs.filter(({ message }) => message.startsWith('started with'));
      return starts.length === 2 ? logs : undefined;
    }, POLLING);
    const sequence = lines
      .map(({ fields }) => Number(fields[0]?.sequence))
      .toSorted((a, b) => a - b);
    assert.deepEqual(
      sequence,
      sequence.map((_, index) => index + 1),
      'every line is there once',
    );

    simulator.child.kill('SIGTERM');
    const { exitCode, stderr } = await simulator.ended;
    assert.equal(exitCode, 0);
    assert.match(stderr, /restarts, as it was told/);
    assert.ok(!stderr.includes(key.apiKey));
  });

  it('reports what is missing', async () => {
    const { exitCode, stderr } = await program.run('simulate', '--credentials', '/nowhere').ended;
    assert.equal(exitCode, 1);
    assert.match(stderr, /can't read credentials from \/nowhere/);
  });
});
