import assert from 'node:assert/strict';
import { lzfCompress } from '../../../src/simulate/clouds/pcd';
import { Random } from '../../../src/simulate/random';
import { lzfExpand } from './lzfExpand';

function bytes(length: number, at: (index: number) => number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => at(index));
}

describe('lzfCompress', () => {
  const random = new Random('lzf');
  const inputs: Record<string, Uint8Array> = {
    'empty data': bytes(0, () => 0),
    'one byte': bytes(1, () => 7),
    'two bytes': bytes(2, () => 7),
    'one repeated byte': bytes(100_000, () => 7),
    'a pattern': bytes(5_000, (index) => index % 11),
    'repetitions at the maximum distance of a match': bytes(
      30_000,
      (index) => (index % 8191) ** 2 % 251,
    ),
    'repetitions one byte beyond the maximum distance': bytes(
      30_000,
      (index) => (index % 8193) ** 2 % 251,
    ),
    'random data': bytes(50_000, () => random.wholeBetween(0, 255)),
    'words in random data': bytes(50_000, (index) =>
      index % 97 < 60 ? index % 97 : random.wholeBetween(0, 255),
    ),
  };

  for (const [name, input] of Object.entries(inputs)) {
    it(`preserves ${name}`, () => {
      assert.deepEqual(lzfExpand(lzfCompress(input), input.length), input);
    });
  }

  it('compresses repetitions, and hardly enlarges random data', () => {
    assert.ok(lzfCompress(inputs['one repeated byte'] ?? bytes(0, () => 0)).length < 1_300);
    const chance = lzfCompress(inputs.chance ?? bytes(0, () => 0));
    assert.ok(chance.length <= Math.ceil(50_000 * (33 / 32)) + 1, String(chance.length));
  });
});
