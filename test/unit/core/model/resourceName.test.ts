import assert from 'node:assert/strict';
import { inNameOrder } from '../../../../src/core/model/resourceName';

describe('inNameOrder', () => {
  const cases: Record<string, readonly string[]> = {
    'numbers by their value': ['arm-2', 'arm-2b', 'arm-10', 'arm-10b'],
    'several numbers in a name': ['1-2-3', '1-2-20', '1-10-3', '2-1-1'],
    'numbers regardless of leading zeros': ['a001', 'a2', 'a03'],
    'numbers longer than the padding': ['a2', `a${'1'.repeat(17)}`],
    'names regardless of case and accents': ['Arm', 'bolt', 'Éclair', 'fan'],
    'a number before letters': ['', '7', 'a'],
  };
  for (const [content, names] of Object.entries(cases)) {
    it(`sorts ${content}`, () => {
      const items = names.map((name) => ({ name }));
      const shuffled = [...items.slice(1), ...items.slice(0, 1)];
      assert.deepEqual(
        inNameOrder(shuffled).map(({ name }) => name),
        names,
      );
    });
  }
});
