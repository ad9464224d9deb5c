import assert from 'node:assert/strict';
import { FleetError } from '../../../../../src/core/api/errors';
import { type Applied, DataSession } from '../../../../../src/host/features/data/dataSession';
import { countTabs } from '../../../../../src/host/features/data/changeWatch';
import { everyData } from '../../../../../src/shared/data/dataFilter';
import type { TabCount } from '../../../../../src/shared/data/dataPanel';
import { openCapturesFleet } from '../../../core/data/capturesFleet';

describe('counting the tabs of a data panel', () => {
  it('offers a recovery action if a tab cannot be counted', async () => {
    const fleet = await openCapturesFleet();
    const { sessions } = fleet;
    const session = new DataSession(
      sessions.connectionToFleet.id,
      { ...everyData, organizations: [fleet.organization] },
      { sessions, clock: fleet.fleet.clock },
    );
    const applied: Applied[] = [];
    session.onDidApply((one) => applied.push(one));
    await session.apply();
    const { browse } = applied[0] ?? assert.fail();
    browse.countReadings = () =>
      Promise.reject(
        new FleetError('unavailable', 'It is not running.', { action: 'startLocalFleet' }),
      );
    const counts: TabCount[] = [];
    await countTabs(1, browse, (count) => counts.push(count));
    const readings = counts.find(({ tab }) => tab === 'readings');
    assert.equal(readings?.problem, 'It is not running.');
    assert.equal(readings.recovery, 'startLocalFleet');
    session.dispose();
    await fleet.close();
  });
});
