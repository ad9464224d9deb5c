import assert from 'node:assert/strict';
import { describeGrowth, type Durations } from '../../../scripts/support/durations';

const recorded = cpu({ unit: 60, contract: 120, package: 8 });

function cpu(seconds: Readonly<Record<string, number>>): Durations {
  return Object.fromEntries(
    Object.entries(seconds).map(([name, cpuSeconds]) => [name, { seconds: 1, cpuSeconds }]),
  );
}

describe('describeGrowth', () => {
  it('accepts a slower computer, on which every stage takes longer', () => {
    assert.deepEqual(describeGrowth(recorded, cpu({ unit: 180, contract: 400, package: 20 })), []);
  });

  it('names a stage that grew by more than half relative to the unit tests', () => {
    assert.deepEqual(describeGrowth(recorded, cpu({ unit: 60, contract: 181, package: 8 })), [
      'contract took 181 CPU seconds instead of 120.',
    ]);
    assert.equal(describeGrowth(recorded, cpu({ unit: 30, contract: 100, package: 8 })).length, 1);
  });

  it('accepts a growth by a few seconds', () => {
    assert.deepEqual(describeGrowth(recorded, cpu({ unit: 60, contract: 120, package: 27 })), []);
  });

  it('accepts a stage without a recorded duration', () => {
    assert.deepEqual(describeGrowth(recorded, cpu({ unit: 60, kills: 500 })), []);
  });

  it('compares nothing without the unit tests or without CPU seconds', () => {
    assert.deepEqual(describeGrowth(recorded, cpu({ contract: 500 })), []);
    const wallTimes = { unit: { seconds: 60 }, contract: { seconds: 900 } };
    assert.deepEqual(describeGrowth(recorded, wallTimes), []);
  });
});
