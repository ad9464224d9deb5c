import assert from 'node:assert/strict';
import { describeGrowth } from '../../../scripts/support/durations';

const recorded = { unit: 60, contract: 120, package: 8 };

describe('describeGrowth', () => {
  it('accepts a slower computer, on which every stage takes longer', () => {
    assert.deepEqual(describeGrowth(recorded, { unit: 180, contract: 400, package: 20 }), []);
  });

  it('names a stage that grew by more than half against the unit tests', () => {
    assert.deepEqual(describeGrowth(recorded, { unit: 60, contract: 181, package: 8 }), [
      'contract took 181 s instead of 120 s.',
    ]);
    assert.equal(describeGrowth(recorded, { unit: 30, contract: 100, package: 8 }).length, 1);
  });

  it('accepts a growth by a few seconds', () => {
    assert.deepEqual(describeGrowth(recorded, { unit: 60, contract: 120, package: 17 }), []);
  });

  it('accepts a stage without a recorded duration', () => {
    assert.deepEqual(describeGrowth(recorded, { unit: 60, kills: 500 }), []);
  });

  it('compares nothing where the unit tests were not run', () => {
    assert.deepEqual(describeGrowth(recorded, { contract: 500 }), []);
  });
});
