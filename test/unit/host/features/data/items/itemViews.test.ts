import assert from 'node:assert/strict';
import { binaryDataId } from '../../../../../../src/core/model/ids';
import {
  getDatasetNames,
  getItemFileName,
  itemView,
} from '../../../../../../src/host/features/data/items/itemViews';
import { type CapturesFleet, openCapturesFleet } from '../../../../core/data/capturesFleet';

describe('an item in a panel', () => {
  let fleet: CapturesFleet;
  beforeEach(async () => (fleet = await openCapturesFleet()));
  afterEach(() => fleet.close());

  it('has the same name in its tile and in its details', async () => {
    const [id = ''] = await fleet.capture([{ extension: '.jpg' }]);
    const [item] = await fleet.stores.binaryData.get([binaryDataId(id)]);
    assert.ok(item);
    assert.equal(getItemFileName(item), itemView(item, 0, new Map()).name);
    assert.notEqual(getItemFileName(item), '.jpg');
    assert.equal(getItemFileName({ ...item, fileName: '', fileExtension: '' }), undefined);
  });

  it('has the names of its datasets, and not their internal tags', async () => {
    const { stores, organization } = fleet;
    const [id = ''] = await fleet.capture([{ extension: '.jpg', tags: ['night'] }]);
    const dataset = await stores.datasets.create(organization, 'Aisles');
    await stores.binaryData.addToDataset(dataset, [binaryDataId(id)]);
    const items = await stores.binaryData.get([binaryDataId(id)]);
    const [item] = items;
    assert.ok(item);
    assert.equal(item.tags.length, 2);
    const { tags, datasets } = itemView(item, 0, await getDatasetNames(stores, items));
    assert.deepEqual([tags, datasets], [['night'], ['Aisles']]);
  });
});
