import assert from 'node:assert/strict';
import { EvenSample } from '../../../../../src/service/training/managed/managedChoice';

const MANY: readonly (readonly [string, readonly number[]])[] = [
  ...Array.from({ length: 900 }, (_, at) => [`common ${at}`, [0]] as const),
  ...Array.from({ length: 12 }, (_, at) => [`rare ${at}`, [1]] as const),
  ...Array.from({ length: 60 }, (_, at) => [`both ${at}`, [0, 2]] as const),
  ...Array.from({ length: 100 }, (_, at) => [`other ${at}`, []] as const),
];

function take(images = MANY, { most = 100, seed = 'seed' } = {}): string[] {
  const sample = new EvenSample(3, most, seed);
  for (const [id, classes] of images) sample.add(id, classes);
  return sample.getSampledIds();
}

function count(taken: readonly string[], kind: string): number {
  return taken.filter((id) => id.startsWith(kind)).length;
}

describe('an even sample of the training images', () => {
  it('balances the labels as far as there are images', () => {
    const taken = take();
    assert.equal(new Set(taken).size, 100);
    assert.equal(count(taken, 'rare'), 12);
    assert.ok(count(taken, 'both') >= 25);
    assert.ok(count(taken, 'other') >= 25);
    assert.ok(count(taken, 'common') >= 20);
  });

  it('is balanced in each of its prefixes', () => {
    const first = take().slice(0, 40);
    for (const kind of ['common', 'rare', 'both', 'other']) {
      assert.ok(count(first, kind) >= 5, `${kind}: ${String(count(first, kind))}`);
    }
  });

  it('is the same for the same seed, regardless of the order of the images', () => {
    assert.deepEqual(take(), take(MANY.toReversed()));
    assert.notDeepEqual(take(), take(MANY, { seed: 'other' }));
  });

  it('contains all images if there are few', () => {
    const few = MANY.slice(890, 930);
    assert.deepEqual(take(few).toSorted(), few.map(([id]) => id).toSorted());
  });

  it('uses memory that does not grow with the images', () => {
    const sample = new EvenSample(1000, 4000, 'seed');
    for (let at = 0; at < 100_000; at += 1) sample.add(String(at), [0]);
    assert.ok(sample.getSampledIds().length < 1000);
  });
});
