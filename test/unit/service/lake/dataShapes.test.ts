import assert from 'node:assert/strict';
import { boundedShape, mergeShapes } from '../../../../src/service/lake/dataShapes';
import type { DataShape } from '../../../../src/service/query/queryJob';

/** Returns an object with a number of members of one shape. */
function members(count: number, shape: DataShape): Record<string, DataShape> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`name-${String(n)}`, shape]));
}

describe('data shapes', () => {
  it('include the type of every value in a fleet of many different sensors', () => {
    const many = members(3000, 'DOUBLE');
    assert.deepEqual(boundedShape(mergeShapes(many, { other: 'VARCHAR' })), {
      ...many,
      other: 'VARCHAR',
    });
  });

  it('omit keys that are data, but not their siblings', () => {
    const siblings = { t: 'DOUBLE', place: { lat: 'DOUBLE' } };
    assert.deepEqual(mergeShapes(siblings, { keyed: members(10_001, 'DOUBLE') }), {
      ...siblings,
      keyed: 'JSON',
    });
    const large = members(2000, members(200, 'VARCHAR'));
    assert.deepEqual(boundedShape({ readings: { ...siblings, keyed: large } }), {
      readings: { ...siblings, keyed: 'JSON' },
    });
  });
});
