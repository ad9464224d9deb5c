import assert from 'node:assert/strict';
import { presentTags } from '../../../../../src/core/data/actions/inspectTarget';
import { AnnotatedImage } from '../../../../support/annotatedImage';
import { openMemoryFleet } from '../../../../support/memoryFleet';

describe('presentTags', () => {
  it('returns a tag that another user has added since the items were listed', async () => {
    const fleet = await openMemoryFleet();
    const { id, store, other } = await AnnotatedImage.capture(fleet);
    await store.addTags([id], ['rust']);
    const items = await store.get([id]);
    await other.data.addTagsToBinaryDataByIDs({ binaryDataIds: [id], tags: ['dent'] });
    assert.deepEqual(await presentTags(store, { kind: 'items', items }), ['dent', 'rust']);
    await fleet.close();
  });
});
