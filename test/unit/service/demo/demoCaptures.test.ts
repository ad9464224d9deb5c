import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timestampDate, type Timestamp } from '@bufbuild/protobuf/wkt';
import { putDemoRecord } from '../../../../src/service/demo/demoFleet';
import { openSqliteStore } from '../../../../src/service/store/openStore';
import { openFleet } from '../../../support/loadedFleet';
import { readCaptures } from '../../../support/readCaptures';
import { TestClock } from '../../../support/testClock';

/** Loading the demo fleet takes a few seconds of processor time. */
const TIMEOUT_MS = 120_000;
const DAYS_MS = 3 * 24 * 3600 * 1000;

describe('the captured data of the demo fleet', function () {
  this.timeout(TIMEOUT_MS);
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'demo-captures-'));
  });

  afterEach(async () => {
    await rm(dataDir, { recursive: true });
  });

  it('contains recent days of readings, images, and scans, identical at every load', async () => {
    const clock = new TestClock();
    const fleet = await openFleet({ clock, demo: true });
    const captures = await readCaptures(fleet);
    await fleet.service.close();

    const now = clock.now().getTime();
    for (const { organization, count } of captures.readings) {
      assert.ok(count > 1000n && count < 5000n, `${organization}: ${count}`);
    }
    const getTime = ([first]: { timeRequested?: Timestamp | undefined }[]): number =>
      first?.timeRequested === undefined ? NaN : timestampDate(first.timeRequested).getTime();
    assert.ok(now - getTime(captures.newest) < 3600_000);
    assert.ok(now - getTime(captures.newest) >= 0);
    assert.ok(Math.abs(now - DAYS_MS - getTime(captures.oldest)) < 3600_000);
    const types = captures.items.map(({ mimeType }) => mimeType);
    assert.deepEqual(
      ['image/jpeg', 'image/png', 'pointcloud/pcd'].map(
        (type) => types.filter((one) => one === type).length > 1,
      ),
      [true, true, true],
    );
    assert.ok(captures.items.some(({ labels = [] }) => labels.length > 0));
    assert.ok(captures.items.some(({ ownTags }) => ownTags?.length === 0));
    assert.equal(captures.items.filter(({ datasets = 0 }) => datasets > 0).length, 86);
    assert.deepEqual(captures.datasetNames, [
      'aisle-reference-scans',
      'carton-inspection',
      'pallet-pockets-2026-11',
    ]);
    const cartons = captures.items.filter(({ labels }) => labels?.join() === 'carton');
    for (const tag of ['intact', 'damaged']) {
      assert.equal(cartons.filter(({ ownTags }) => ownTags?.join() === tag).length, 40, tag);
    }

    const ofOverview = captures.items.filter(
      ({ part, component }) => part === 'palletizer-2-main' && component === 'cell-overview',
    );
    assert.ok(ofOverview.length >= 240, String(ofOverview.length));
    const untagged = ofOverview.filter(({ ownTags }) => ownTags?.length === 0);
    assert.ok(untagged.length >= 200 && untagged.length < ofOverview.length);

    const again = await openFleet({ clock, demo: true });
    assert.deepEqual(await readCaptures(again), captures);
    await again.service.close();
  });

  it('is complete without duplicates after a load that was interrupted during its upload', async () => {
    const clock = new TestClock();
    const cutOff = await openFleet({ clock, demo: true, dataDir });
    const { readings, items, datasetNames } = await readCaptures(cutOff);
    await cutOff.service.close();
    // Simulate an interruption at the very end of loading.
    const store = await openSqliteStore(join(dataDir, 'fleet.db'));
    await putDemoRecord(store, { state: 'loading' });
    await store.destroy();

    clock.advance(60_000);
    const next = await openFleet({ clock, demo: false, dataDir, credentials: cutOff.owner });
    const whole = await readCaptures(next);
    await next.service.close();
    assert.deepEqual(whole.readings, readings);
    assert.equal(whole.items.length, items.length);
    assert.deepEqual(whole.datasetNames, datasetNames);
  });
});
