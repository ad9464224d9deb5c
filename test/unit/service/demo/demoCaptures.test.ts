import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timestampDate, type Timestamp } from '@bufbuild/protobuf/wkt';
import { createClient } from '@connectrpc/connect';
import { type BinaryData, DataService } from '../../../../src/gen/viam/app/data/v1/data_pb';
import { DatasetService } from '../../../../src/gen/viam/app/dataset/v1/dataset_pb';
import { signInTransport } from '../../../../src/service/demo/demoClient';
import { putDemoRecord } from '../../../../src/service/demo/demoRecord';
import { openSqliteStore } from '../../../../src/service/store/openStore';
import { type OpenFleet, openFleet } from '../../../support/loadedFleet';
import { TestClock } from '../../../support/testClock';

/** Loading takes a second of one processor's whole time. */
const TIMEOUT_MS = 30_000;
const DAYS_MS = 3 * 24 * 3600 * 1000;

/** What an owner finds of captured data, without what differs from one load to the next. */
async function readCaptures({ open, owner, app }: OpenFleet) {
  const transport = await signInTransport(open, { id: owner.apiKeyId, key: owner.apiKey });
  const data = createClient(DataService, transport);
  const { organizations } = await app.listOrganizations({});
  const readings: { organization: string; count: bigint }[] = [];
  const datasetNames: string[] = [];
  for (const { id, name } of organizations) {
    const filter = { organizationIds: [id] };
    const { count } = await data.tabularDataByFilter({ dataRequest: { filter }, countOnly: true });
    readings.push({ organization: name, count });
    const { datasets } = await createClient(DatasetService, transport).listDatasetsByOrganizationID(
      { organizationId: id },
    );
    datasetNames.push(...datasets.map((dataset) => dataset.name));
  }
  const newest = await data.tabularDataByFilter({ dataRequest: { limit: 1n, sortOrder: 1 } });
  const oldest = await data.tabularDataByFilter({ dataRequest: { limit: 1n, sortOrder: 2 } });
  const { data: items } = await data.binaryDataByFilter({
    dataRequest: { limit: 100n },
    includeBinary: false,
  });
  return {
    readings,
    newest: newest.data.map(({ data: payload, timeRequested }) => ({ payload, timeRequested })),
    oldest: oldest.data.map(({ data: payload, timeRequested }) => ({ payload, timeRequested })),
    items: items.map(outlineOf),
    datasetNames: datasetNames.sort(),
  };
}

function outlineOf({ metadata }: BinaryData) {
  const capture = metadata?.captureMetadata;
  return {
    part: capture?.partName,
    component: capture?.componentName,
    method: capture?.methodName,
    mimeType: capture?.mimeType,
    at: metadata?.timeRequested && timestampDate(metadata.timeRequested),
    size: metadata?.fileSizeBytes,
    labels: metadata?.annotations?.bboxes.map(({ label }) => label),
    datasets: metadata?.datasetIds.length,
    ownTags: capture?.tags.filter((tag) => !tag.startsWith('SVC_DATASET_')),
  };
}

describe('the captured data of the demo fleet', function () {
  this.timeout(TIMEOUT_MS);
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'demo-captures-'));
  });

  afterEach(async () => {
    await rm(dataDir, { recursive: true });
  });

  it('is some days of readings, pictures and scans up to now, the same at every load', async () => {
    const clock = new TestClock();
    const fleet = await openFleet({ clock, demo: true });
    const captures = await readCaptures(fleet);
    await fleet.service.close();

    const now = clock.now().getTime();
    for (const { organization, count } of captures.readings) {
      assert.ok(count > 1000n && count < 5000n, `${organization}: ${count}`);
    }
    const timeOf = ([first]: { timeRequested?: Timestamp | undefined }[]): number =>
      first?.timeRequested === undefined ? NaN : timestampDate(first.timeRequested).getTime();
    assert.ok(now - timeOf(captures.newest) < 3600_000);
    assert.ok(now - timeOf(captures.newest) >= 0);
    assert.ok(Math.abs(now - DAYS_MS - timeOf(captures.oldest)) < 3600_000);
    const types = captures.items.map(({ mimeType }) => mimeType);
    assert.deepEqual(
      ['image/jpeg', 'image/png', 'pointcloud/pcd'].map(
        (type) => types.filter((one) => one === type).length > 1,
      ),
      [true, true, true],
    );
    assert.ok(captures.items.some(({ labels = [] }) => labels.length > 0));
    assert.ok(captures.items.some(({ ownTags }) => ownTags?.length === 0));
    assert.equal(captures.items.filter(({ datasets = 0 }) => datasets > 0).length, 6);
    assert.deepEqual(captures.datasetNames, ['aisle-reference-scans', 'pallet-pockets-2026-11']);

    const again = await openFleet({ clock, demo: true });
    assert.deepEqual(await readCaptures(again), captures);
    await again.service.close();
  });

  it('is there once after a load that was cut off while it was uploaded', async () => {
    const clock = new TestClock();
    const cutOff = await openFleet({ clock, demo: true, dataDir });
    const { readings, items, datasetNames } = await readCaptures(cutOff);
    await cutOff.service.close();
    // As if it had been cut off at the very end.
    const store = await openSqliteStore(join(dataDir, 'fleet.db'));
    await putDemoRecord(store, { state: 'loading' });
    await store.destroy();

    clock.advance(60_000);
    const next = await openFleet({ clock, demo: false, dataDir, kept: cutOff.owner });
    const whole = await readCaptures(next);
    await next.service.close();
    assert.deepEqual(whole.readings, readings);
    assert.equal(whole.items.length, items.length);
    assert.deepEqual(whole.datasetNames, datasetNames);
  });
});
