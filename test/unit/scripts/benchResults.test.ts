import assert from 'node:assert/strict';
import {
  formatDurations,
  formatMissed,
  meetsAim,
  parseResults,
} from '../../../scripts/support/benchResults';

const result = { name: 'listing', ratio: 1.4, against: 'the bare call', aim: '<= 1.3' };

describe('the results of benchmarks', () => {
  it('are the lines with JSON', () => {
    const output = `starting\n${JSON.stringify({ ...result, calls: 3 })}\ndone\n`;
    assert.deepEqual(parseResults(output), [result]);
  });

  it('can have a curve', () => {
    const points = [{ scale: 10, size: 410, milliseconds: 61, mebibytes: 110 }];
    const measured = { ...result, curve: { name: 'listing', unit: 'machines', points } };
    assert.deepEqual(parseResults(JSON.stringify(measured)), [measured]);
  });

  it('can have a reason why they miss their target', () => {
    const explained = { ...result, reason: 'Sorting takes time.' };
    assert.deepEqual(parseResults(JSON.stringify(explained)), [explained]);
  });

  it('must have a target', () => {
    const line = JSON.stringify({ name: 'listing', ratio: 1, against: 'the bare call' });
    assert.throws(() => parseResults(line), /needs a name, a ratio, a baseline, and an aim/);
  });

  it('meet a target at its limit', () => {
    assert.equal(meetsAim({ ...result, ratio: 1.3 }), true);
    assert.equal(meetsAim(result), false);
    assert.equal(meetsAim({ ...result, ratio: 0.6, aim: '>= 0.6' }), true);
    assert.equal(meetsAim({ ...result, ratio: NaN, aim: '>= 0.6' }), false);
    assert.throws(() => meetsAim({ ...result, aim: 'fast' }), /An aim has the form/);
  });

  it('are listed if they miss their target', () => {
    assert.equal(
      formatMissed([result, { ...result, name: 'finding', ratio: 1 }]),
      '1 of 2 results miss their aim:\nlisting     1.400  <= 1.3    the bare call',
    );
    assert.equal(formatMissed([]), 'All 0 results meet their aim.');
  });

  it('are listed with their durations, longest first', () => {
    const durations = new Map([
      ['listing', 1234],
      ['finding', 23_456],
    ]);
    assert.equal(
      formatDurations(durations),
      '   23.5 s  finding\n    1.2 s  listing\n   24.7 s  in total',
    );
  });
});
