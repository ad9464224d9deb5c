import assert from 'node:assert/strict';
import { FleetError } from '../../../../../../src/core/api/errors';
import {
  type BinaryDataId,
  type DatasetId,
  organizationId,
} from '../../../../../../src/core/model/ids';
import type { DatasetTarget } from '../../../../../../src/core/model/resourceTarget';
import type { FleetStores } from '../../../../../../src/core/stores/fleetStores';
import { pruneReview } from '../../../../../../src/host/features/data/trials/pruneReview';
import type { ReviewState } from '../../../../../../src/host/features/data/trials/storedReviews';
import { CapturingPart } from '../../../../../support/capturingPart';
import { type MemoryFleet, openMemoryFleet } from '../../../../../support/memoryFleet';
import { TestSessions } from '../../../../../support/testSessions';

describe('pruneReview', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let part: CapturingPart;
  let images: readonly BinaryDataId[];
  let target: DatasetTarget;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    part = await CapturingPart.create(fleet, stores);
    images = [await part.capture({ second: 1 }), await part.capture({ second: 2 })];
    const organization = organizationId(fleet.organizationId);
    const datasetId: DatasetId = await stores.datasets.create(organization, 'pallets');
    target = {
      kind: 'dataset',
      connectionId: sessions.connectionToFleet.id,
      datasetId,
      organizationId: organization,
      name: 'pallets',
    };
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  function createReview(ids: readonly BinaryDataId[]): ReviewState {
    const proposals = [{ id: 0, label: 'damaged', confidence: 0.5 }];
    const source = { componentName: 'camera' };
    return {
      model: { task: 'singleLabelClassification', labels: ['damaged'] },
      proposals: {
        run: '1',
        model: 'check 1.0.0',
        task: 'singleLabelClassification',
        images: ids.map((id) => ({ id, name: 'a.jpg', sizeBytes: 10, proposals })),
      },
      items: ids.map((id) => ({ id, at: 1, fileName: 'a', fileExtension: '.jpg', source })),
    };
  }

  it('returns a review of existing images unchanged', async () => {
    const state = createReview(images);
    assert.equal(await pruneReview(stores, state, target), state);
  });

  it('removes deleted images', async () => {
    await stores.binaryData.delete(images.slice(0, 1));
    assert.deepEqual(
      await pruneReview(stores, createReview(images), target),
      createReview(images.slice(1)),
    );
  });

  it('returns undefined when all images were deleted', async () => {
    await stores.binaryData.delete(images);
    assert.equal(await pruneReview(stores, createReview(images), target), undefined);
  });

  it('returns undefined when the dataset of the panel was deleted', async () => {
    const { datasetId: id, organizationId: owner } = target;
    await stores.datasets.delete({ id, organizationId: owner });
    assert.equal(await pruneReview(stores, createReview(images), target), undefined);
  });

  it('throws if the service is unavailable', async () => {
    const get = () => Promise.reject(new FleetError('unavailable', 'The service is stopped.'));
    const { datasets } = stores;
    const state = createReview(images);
    await assert.rejects(pruneReview({ binaryData: { get }, datasets }, state, target), {
      kind: 'unavailable',
    });
  });
});
