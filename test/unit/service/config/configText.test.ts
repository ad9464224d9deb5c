import assert from 'node:assert/strict';
import { atOnce } from '../../../../src/base/slices';
import { restoreKeyOrder, isSameInOrder } from '../../../../src/service/config/configText';

/** Number of entries for which comparing each pair would take a minute. */
const MANY = 100_000;
const PROMPT_MS = 10_000;

describe('the key order of a config', () => {
  it('is that of the previous version, matching entries by their names', () => {
    const previous = { b: 1, list: [{ type: 't', name: 'x' }, { name: 'y' }, 7] };
    const next = { list: [{ name: 'y' }, { name: 'x', type: 'u' }, 7, 8], b: 2, a: 3 };
    assert.equal(
      JSON.stringify(atOnce(restoreKeyOrder(previous, next))),
      '{"b":2,"list":[{"name":"y"},{"type":"u","name":"x"},7,8],"a":3}',
    );
  });

  it('is that of the first entry of a name if the previous version has it twice', () => {
    const previous = [
      { b: 1, name: 'x' },
      { name: 'x', b: 1 },
    ];
    assert.equal(
      JSON.stringify(atOnce(restoreKeyOrder(previous, [{ name: 'x', b: 2 }]))),
      '[{"b":2,"name":"x"}]',
    );
  });

  it('is restored in long lists too', function () {
    this.timeout(PROMPT_MS);
    const entries = Array.from({ length: MANY }, (_, index) => ({ name: `c${index}` }));
    const ordered = atOnce(restoreKeyOrder(entries, entries.toReversed()));
    assert.equal(Array.isArray(ordered) && ordered.length, MANY);
  });

  it('contains no negative zero, like the text of the config', () => {
    assert.deepEqual(atOnce(restoreKeyOrder(undefined, { a: [-0] })), { a: [0] });
  });
});

describe('isSameInOrder', () => {
  const config = { a: 1, list: [{ b: null, c: 'x' }, []] };

  it('accepts an equal config', () => {
    assert.equal(atOnce(isSameInOrder(config, structuredClone(config))), true);
  });

  for (const other of [
    { list: [{ b: null, c: 'x' }, []], a: 1 },
    { a: 1, list: [{ c: 'x', b: null }, []] },
    { a: 1, list: [{ b: null, c: 'x' }, {}] },
    { a: 1, list: [{ b: null, c: 'x' }] },
    { a: 1, list: [{ b: null, d: 'x' }, []] },
    { a: '1', list: [{ b: null, c: 'x' }, []] },
  ]) {
    it(`rejects ${JSON.stringify(other)}`, () => {
      assert.equal(atOnce(isSameInOrder(config, other)), false);
    });
  }
});
