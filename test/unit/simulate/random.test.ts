import assert from 'node:assert/strict';
import { Random } from '../../../src/simulate/random';

const MANY = 20_000;

describe('Random', () => {
  it('repeats itself for a seed, and differs for another', () => {
    const draw = (seed: string): number[] => {
      const random = new Random(seed);
      return Array.from({ length: 20 }, () => random.next());
    };
    assert.deepEqual(draw('a'), draw('a'));
    assert.notDeepEqual(draw('a'), draw('b'));
  });

  it('returns independent random numbers for each key', () => {
    const quiet = new Random('a');
    const busy = new Random('a');
    busy.next();
    assert.equal(quiet.of('battery').next(), busy.of('battery').next());
    assert.notEqual(quiet.of('battery').next(), quiet.of('drive').next());
  });

  it('is distributed uniformly, and normally', () => {
    const random = new Random('spread');
    const even = Array.from({ length: MANY }, () => random.wholeBetween(1, 4));
    for (const value of [1, 2, 3, 4]) {
      const share = even.filter((one) => one === value).length / MANY;
      assert.ok(Math.abs(share - 0.25) < 0.02, `${value}: ${share}`);
    }
    const normal = Array.from({ length: MANY }, () => random.normal(3));
    const mean = normal.reduce((sum, value) => sum + value, 0) / MANY;
    const variance = normal.reduce((sum, value) => sum + value * value, 0) / MANY;
    assert.ok(Math.abs(mean) < 0.1, String(mean));
    assert.ok(Math.abs(Math.sqrt(variance) - 3) < 0.1, String(variance));
  });
});
