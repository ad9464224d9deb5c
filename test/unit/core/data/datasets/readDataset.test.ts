import assert from 'node:assert/strict';
import { FleetError } from '../../../../../src/core/api/errors';
import {
  type DatasetReadiness,
  readReadiness,
} from '../../../../../src/core/data/datasets/datasetReadiness';
import {
  type BinaryDataId,
  type DatasetId,
  organizationId,
} from '../../../../../src/core/model/ids';
import type { FleetStores } from '../../../../../src/core/stores/fleetStores';
import { CapturingPart } from '../../../../support/capturingPart';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { TestSessions } from '../../../../support/testSessions';

const BOX = { xMin: 0.1, yMin: 0.1, xMax: 0.5, yMax: 0.5 };

describe('the readiness of a dataset', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let part: CapturingPart;
  let dataset: DatasetId;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    part = await CapturingPart.create(fleet, stores);
    dataset = await stores.datasets.create(organizationId(fleet.organizationId), 'pallets');
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  /** Adds images to the dataset; returns their IDs, oldest first. */
  async function images(count: number): Promise<readonly BinaryDataId[]> {
    const ids = await part.captureMany(count);
    await stores.binaryData.addToDataset(dataset, ids);
    return ids;
  }

  async function label(ids: readonly BinaryDataId[], ...labels: string[]): Promise<void> {
    for (const id of ids) {
      for (const one of labels) await stores.binaryData.addBox(id, { label: one, ...BOX });
    }
  }

  function read(signal = new AbortController().signal): Promise<DatasetReadiness> {
    const target = { organizationId: organizationId(fleet.organizationId), datasetId: dataset };
    return readReadiness(stores.binaryData, target, { signal });
  }

  async function of(kind: 'detection' | 'classification') {
    const found = (await read()).trainings.find((one) => one.kind === kind) ?? assert.fail();
    const { unlabeled, labels, ...rest } = found;
    return {
      ...rest,
      labels: labels.map(({ label: name, count, missing }) => `${name} ${count} -${missing}`),
      unlabeled: unlabeled.length,
    };
  }

  it('has missing requirements for everything without items', async () => {
    const { items, images: pictures, trainings } = await read();
    assert.deepEqual([items, pictures], [0, 0]);
    assert.deepEqual(
      trainings.map(({ kind, isReady, missingImages }) => [kind, isReady, missingImages]),
      [
        ['detection', false, 15],
        ['classification', false, 0],
      ],
    );
  });

  it('is reached for detection with 15 images, 12 of them labeled, and 10 boxes of each label', async () => {
    const ids = await images(15);
    await label(ids.slice(0, 11), 'pallet');
    assert.deepEqual(await of('detection'), {
      kind: 'detection',
      missingImages: 0,
      labeled: 11,
      missingLabeled: 1,
      labels: ['pallet 11 -0'],
      unlabeled: 4,
      isReady: false,
    });
    await label(ids.slice(11, 12), ...Array.from({ length: 9 }, () => 'forklift'));
    const almost = await of('detection');
    assert.deepEqual(almost.labels, ['pallet 11 -0', 'forklift 9 -1']);
    assert.deepEqual([almost.missingLabeled, almost.isReady], [0, false]);
    await label(ids.slice(12, 13), 'forklift');
    assert.equal((await of('detection')).isReady, true);
  });

  it('is not reached for detection with 14 images, even if all are labeled', async () => {
    await label(await images(14), 'pallet');
    const { missingImages, missingLabeled, isReady } = await of('detection');
    assert.deepEqual([missingImages, missingLabeled, isReady], [1, 0, false]);
  });

  it('is reached for classification with 10 images of each tag, without a minimum of images', async () => {
    const ids = await images(12);
    assert.deepEqual((await of('classification')).labels, []);
    await stores.binaryData.addTags(ids.slice(0, 10), ['night']);
    const ready = await of('classification');
    assert.deepEqual(ready, {
      kind: 'classification',
      missingImages: 0,
      labeled: 10,
      missingLabeled: 0,
      labels: ['night 10 -0'],
      unlabeled: 2,
      isReady: true,
    });
    await stores.binaryData.addTags(ids.slice(0, 3), ['rain']);
    const { labels, isReady } = await of('classification');
    assert.deepEqual([labels, isReady], [['night 10 -0', 'rain 3 -7'], false]);
  });

  it('lists the labels with most examples first, and numbered ones in numeric order', async () => {
    const [first, second] = await images(2);
    assert.ok(first && second);
    await label([first], 'shelf 10', 'shelf 2', 'shelf 1');
    await label([first, second], 'wall');
    const { labels } = await of('detection');
    assert.deepEqual(labels, ['wall 2 -8', 'shelf 1 1 -9', 'shelf 2 1 -9', 'shelf 10 1 -9']);
  });

  it('skips items that are not images, but counts them', async () => {
    const file = await part.capture({ fileName: 'notes', fileExtension: '.txt', tags: ['night'] });
    await stores.binaryData.addToDataset(dataset, [file]);
    await images(1);
    const { items, images: pictures } = await read();
    assert.deepEqual([items, pictures], [2, 1]);
    assert.deepEqual((await of('classification')).labels, []);
  });

  it('stops when the user cancels', async () => {
    await images(1);
    const leaving = new AbortController();
    leaving.abort();
    await assert.rejects(read(leaving.signal), (error) => {
      return error instanceof FleetError && error.kind === 'canceled';
    });
  });

  it('reports its progress', async () => {
    await images(3);
    const progress: [number, number][] = [];
    const target = { organizationId: organizationId(fleet.organizationId), datasetId: dataset };
    const { signal } = new AbortController();
    const onProgress = (done: number, of: number): void => void progress.push([done, of]);
    await readReadiness(stores.binaryData, target, { signal, onProgress });
    assert.deepEqual(progress, [[3, 3]]);
  });
});
