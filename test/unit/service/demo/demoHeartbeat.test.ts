import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { OnlineState } from '../../../../src/gen/viam/app/v1/machine_pb';
import { TestClock } from '../../../support/testClock';
import { type OpenFleet, openFleet, readFleet } from '../../../support/loadedFleet';

const INTERVAL_MS = 25_000;

/** Loading the demo fleet takes a second of processor time. */
const LOADING_TIMEOUT_MS = 120_000;

describe('DemoHeartbeat', function () {
  this.timeout(LOADING_TIMEOUT_MS);

  const clock = new TestClock();
  let fleet: OpenFleet;

  before(async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    fleet = await openFleet({ clock, demo: true });
  });

  after(async () => {
    await fleet.service.close();
    mock.timers.reset();
  });

  const onlineCount = async (): Promise<number> =>
    (await readFleet(fleet.app)).machines.filter(
      (machine) => machine.onlineState === OnlineState.ONLINE,
    ).length;

  it('reports to the service for the machines that are online', async () => {
    const atFirst = await onlineCount();
    assert.ok(atFirst > 25);
    clock.advance(10 * 60_000);
    assert.equal(await onlineCount(), 0);
    mock.timers.tick(INTERVAL_MS);
    assert.equal(await onlineCount(), atFirst);
  });
});
