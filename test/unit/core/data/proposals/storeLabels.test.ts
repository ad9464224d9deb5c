import assert from 'node:assert/strict';
import { isUnlabeled, storeLabels } from '../../../../../src/core/data/proposals/storeLabels';
import { binaryDataId } from '../../../../../src/core/model/ids';
import { AnnotatedImage } from '../../../../support/annotatedImage';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';

const detector = { task: 'objectDetection', labels: ['cup', 'plate'] } as const;
const tagger = { task: 'multiLabelClassification', labels: ['dented', 'wet'] } as const;
const ADD = 'AddBoundingBoxToImageByID';
const cup = { label: 'cup', confidence: 0.9, box: { xMin: 0.1, yMin: 0.2, xMax: 0.3, yMax: 0.4 } };
const plate = { label: 'plate', confidence: 0.7, box: { xMin: 0.5, yMin: 0.5, xMax: 1, yMax: 1 } };

describe('storeLabels', () => {
  let fleet: MemoryFleet;
  let image: AnnotatedImage;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    image = await AnnotatedImage.capture(fleet);
  });

  afterEach(() => fleet.close());

  const tags = async (): Promise<readonly string[]> =>
    (await image.store.get([image.id]))[0]?.tags ?? [];
  const labels = async (): Promise<readonly string[]> =>
    (await image.boxes()).map(({ label }) => label).sort();

  it("adds tags that the image doesn't have, and preserves the others", async () => {
    await image.store.addTags([image.id], ['night', 'dented']);
    const proposed = ['dented', 'wet'].map((label) => ({ label, confidence: 0.8 }));
    assert.equal(await storeLabels(image.store, image.id, proposed, tagger), 'stored');
    assert.deepEqual([...(await tags())].sort(), ['dented', 'night', 'wet']);
    assert.equal(await storeLabels(image.store, image.id, proposed, tagger), 'unchanged');
    assert.deepEqual([...(await tags())].sort(), ['dented', 'night', 'wet']);
  });

  it('adds boxes with their confidence', async () => {
    assert.equal(await storeLabels(image.store, image.id, [cup], detector), 'stored');
    const [{ id, ...stored } = { id: '' }] = await image.boxes();
    assert.notEqual(id, '');
    assert.deepEqual(stored, { label: 'cup', confidence: 0.9, ...cup.box });
  });

  it('adds no box if another user has added one for the same object', async () => {
    await image.draw({ label: 'cup', ...cup.box, xMin: 0.11, yMax: 0.41 });
    assert.equal(await storeLabels(image.store, image.id, [cup], detector), 'unchanged');
    await image.draw({ label: 'cup', ...plate.box });
    assert.equal(await storeLabels(image.store, image.id, [plate], detector), 'stored');
    assert.deepEqual(await labels(), ['cup', 'cup', 'plate']);
  });

  it('adds the rest after an attempt that failed halfway', async () => {
    let calls = 0;
    const failing = {
      get: image.store.get.bind(image.store),
      addTags: image.store.addTags.bind(image.store),
      addBox: (...args: Parameters<typeof image.store.addBox>): Promise<string> => {
        calls += 1;
        return calls === 2 ? Promise.reject(new Error('lost')) : image.store.addBox(...args);
      },
    };
    await assert.rejects(storeLabels(failing, image.id, [cup, plate], detector), /lost/);
    assert.deepEqual(await labels(), ['cup']);
    fleet.calls.clear();
    assert.equal(await storeLabels(failing, image.id, [cup, plate], detector), 'stored');
    assert.deepEqual(await labels(), ['cup', 'plate']);
    assert.equal(fleet.calls.get(ADD), 1);
  });

  it('adds no second label if labels are exclusive', async () => {
    const sorter = { ...tagger, task: 'singleLabelClassification' } as const;
    const proposed = [{ label: 'dented', confidence: 0.8 }];
    await image.store.addTags([image.id], ['night', 'wet']);
    assert.equal(await storeLabels(image.store, image.id, proposed, sorter), 'labeled');
    assert.deepEqual([...(await tags())].sort(), ['night', 'wet']);
    await image.store.removeTags([image.id], ['wet']);
    assert.equal(await storeLabels(image.store, image.id, proposed, sorter), 'stored');
    assert.equal(await storeLabels(image.store, image.id, proposed, sorter), 'unchanged');
    assert.deepEqual([...(await tags())].sort(), ['dented', 'night']);
  });

  it('reports an image that was deleted', async () => {
    const gone = binaryDataId(`${image.id.slice(0, -4)}0000`);
    assert.equal(await storeLabels(image.store, gone, [cup], detector), 'deleted');
  });
});

describe('isUnlabeled', () => {
  const box = { id: '1', label: 'cup', ...cup.box };

  it('checks only the labels of the model', () => {
    const detector = { task: 'objectDetection', labels: ['cup', 'plate'] } as const;
    const classifier = { task: 'singleLabelClassification', labels: ['cup', 'plate'] } as const;
    assert.equal(isUnlabeled({ tags: ['cup'], boxes: [] }, detector), true);
    assert.equal(isUnlabeled({ tags: [], boxes: [box] }, detector), false);
    assert.equal(isUnlabeled({ tags: [], boxes: [{ ...box, label: 'jug' }] }, detector), true);
    assert.equal(isUnlabeled({ tags: ['night'], boxes: [box] }, classifier), true);
    assert.equal(isUnlabeled({ tags: ['plate'], boxes: [] }, classifier), false);
  });
});
