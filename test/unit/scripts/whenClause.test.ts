import assert from 'node:assert/strict';
import { evaluateWhen } from '../../../scripts/support/whenClause';

const context = { view: 'fleet', viewItem: 'part;main', connected: true, empty: '' };

describe('evaluateWhen', () => {
  const cases: readonly (readonly [clause: string, expected: boolean])[] = [
    ['connected', true],
    ['!connected', false],
    ['missing', false],
    ['empty', false],
    ['false', false],
    ['view == fleet && viewItem =~ /(^|;)(part|machine)(;|$)/', true],
    ["view == 'fleet' && viewItem =~ /(^|;)machine(;|$)/", false],
    ['view != fleet || connected', true],
    ['connected || missing && missing', true],
    ['(connected || missing) && missing', false],
    ['connected && (!viewItem || viewItem =~ /MAIN/i)', true],
    ['missing =~ /./', false],
  ];
  for (const [clause, expected] of cases) {
    it(`finds ${clause} ${expected}`, () => {
      assert.equal(evaluateWhen(clause, context), expected);
    });
  }

  it('rejects what it cannot parse', () => {
    assert.throws(() => evaluateWhen('(connected', context), /not closed/);
    assert.throws(() => evaluateWhen('connected view', context), /is not expected/);
  });
});
