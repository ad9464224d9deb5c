import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findJsonProblems } from '../../../../src/core/documents/jsonProblems';

/** Fixed seed, so that failing sequences can be repeated. */
const SEED = { seed: 1 };

/** Returns the code and the marked text of each problem. */
function problems(text: string, wireFormat: 'text' | 'struct' = 'text'): string[] {
  return findJsonProblems(text, wireFormat).map(
    ({ code, offset, length }) => `${code}: ${text.slice(offset, offset + length)}`,
  );
}

describe('findJsonProblems', () => {
  it('accepts strict JSON', () => {
    assert.deepEqual(problems('{"a": [1, -2.5e3, "x", null, {}]}', 'struct'), []);
  });

  it('finds errors at their position', () => {
    assert.deepEqual(problems('{"a" 1}'), ['notJson: 1']);
    assert.deepEqual(problems('{"a": 1} x'), ['notJson: x']);
    assert.deepEqual(problems('{"a": "\t"}'), ['notJson: "\t"']);
    assert.deepEqual(problems('{"a": 1'), ['notJson: 1']);
  });

  it('rejects comments and trailing commas', () => {
    assert.deepEqual(problems('{"a": 1, // one\n"b": 2}'), ['comment: // one']);
    assert.deepEqual(problems('{"a": [1,\n],\n}'), ['trailingComma: ,', 'trailingComma: ,']);
  });

  it('finds the first of many errors in linear time', () => {
    const found = problems(`{"a": 1, ${','.repeat(500_000)}}`);
    assert.ok(found.length > 0 && found.length <= 100, String(found.length));
  });

  it('requires an object', () => {
    assert.deepEqual(problems('[1]'), ['notAnObject: [1]']);
    assert.deepEqual(problems('null'), ['notAnObject: null']);
    assert.equal(problems('').length, 1);
  });

  it('rejects inexact numbers only if a Struct would change them', () => {
    const text = '{"a": 9007199254740993, "b": 9007199254740992, "c": {"a": 0.1}}';
    assert.deepEqual(problems(text, 'struct'), ['numberNotKept: 9007199254740993']);
    assert.deepEqual(problems(text, 'text'), []);
  });

  for (const number of [
    '9007199254740993.0',
    '9.007199254740993e15',
    '1152921504606846976',
    '0.1234567890123456789',
    '-0.30000000000000000001',
    '1e-400',
    '1.79769313486231571e308',
  ]) {
    it(`rejects ${number}, which a Struct would round`, () => {
      assert.deepEqual(problems(`{"a": ${number}}`, 'struct'), [`numberNotKept: ${number}`]);
      assert.deepEqual(problems(`{"a": ${number}}`, 'text'), []);
    });
  }

  for (const number of [
    ...['0', '-0', '0.0', '0e-999', '0.1', '-0.10', '1e2', '100E-2', '1.50e+3', '5e-324'],
    ...['9007199254740992.0', '1.0e21', '123456789012345680000', '1e308'],
  ]) {
    it(`accepts ${number}, which loses no digit`, () => {
      assert.deepEqual(problems(`{"a": ${number}}`, 'struct'), []);
    });
  }

  it('accepts every number that JSON.stringify prints', () => {
    const anyDouble = fc.double({ noNaN: true, noDefaultInfinity: true });
    const property = fc.property(anyDouble, (number) => {
      assert.deepEqual(problems(JSON.stringify({ number }), 'struct'), []);
    });
    fc.assert(property, SEED);
  });

  it('accepts exactly the numbers whose value a JSON round trip preserves', () => {
    const digits = fc.stringMatching(/^(0|[1-9]\d{0,25})(\.\d{1,25})?$/);
    const exponent = fc.option(fc.integer({ min: -340, max: 280 }), { nil: undefined });
    const property = fc.property(fc.boolean(), digits, exponent, (isNegative, decimal, power) => {
      const number = `${isNegative ? '-' : ''}${decimal}${power === undefined ? '' : `e${power}`}`;
      const isExact = isSameDecimal(number, JSON.stringify(JSON.parse(number)));
      const expected = isExact ? [] : [`numberNotKept: ${number}`];
      assert.deepEqual(problems(`{"a": ${number}}`, 'struct'), expected);
    });
    fc.assert(property, { ...SEED, numRuns: 2_000 });
  });

  it('checks a number with very many digits in linear time', () => {
    const number = `0.${'0'.repeat(300_000)}1`;
    assert.equal(problems(`{"a": ${number}, "b": 1${number.slice(2)}}`, 'struct').length, 2);
  });

  for (const wireFormat of ['text', 'struct'] as const) {
    it(`rejects repeated keys and infinite numbers at their position (${wireFormat})`, () => {
      const text = '{"a": 1, "b": {"a": -1e999}, "a": 2}';
      assert.deepEqual(problems(text, wireFormat), [
        'numberOutOfRange: -1e999',
        'duplicateKey: "a"',
      ]);
    });
  }

  for (const [text, half] of [
    ['{"a": "\\ud800x"}', '\\ud800'],
    ['{"a": "\\ud83d\\ude00 \\\\ud800 \\uDC00"}', '\\uDC00'],
    ['{"a": {"\\ud83dk": 1}}', '\\ud83d'],
    ['{"a": ["\\ud83d\\ud83d\\ude00"]}', '\\ud83d'],
  ] as const) {
    it(`rejects half of a surrogate pair if a Struct would replace it: ${text}`, () => {
      assert.deepEqual(problems(text, 'struct'), [`unpairedSurrogate: ${half}`]);
      assert.deepEqual(problems(text, 'text'), []);
    });
  }

  it('rejects half of a surrogate pair that is not escaped, for any wire format', () => {
    const text = '{"a": "😀 \ud83d!"}';
    assert.deepEqual(problems(text, 'text'), ['unpairedSurrogate: \ud83d']);
    assert.deepEqual(problems(text, 'struct'), ['unpairedSurrogate: \ud83d']);
    const [problem] = findJsonProblems(text, 'text');
    assert.equal(problem?.detail, '\\ud83d');
  });

  it('accepts whole surrogate pairs, escaped or not', () => {
    const text = '{"\\ud83d\\ude00": "\\uD83D\\uDE00 😀 \\\\ud800"}';
    assert.deepEqual(problems(text, 'struct'), []);
    assert.deepEqual(problems(text, 'text'), []);
  });

  it('reports a misplaced byte order mark', () => {
    assert.deepEqual(problems('\uFEFF{"a": 1}'), ['byteOrderMark: \uFEFF']);
    assert.deepEqual(problems('{"a":\uFEFF 1}'), ['byteOrderMark: \uFEFF']);
  });
});

/** Compares two decimal numbers as integer fractions. */
function isSameDecimal(left: string, right: string): boolean {
  const [first, second] = [toFraction(left), toFraction(right)];
  return first.numerator * second.denominator === second.numerator * first.denominator;
}

function toFraction(number: string): { numerator: bigint; denominator: bigint } {
  const [decimal = '', exponent = '0'] = number.split('e');
  const [integer = '', fraction = ''] = decimal.split('.');
  const power = Number(exponent) - fraction.length;
  const significand = BigInt(integer + fraction);
  return power < 0
    ? { numerator: significand, denominator: 10n ** BigInt(-power) }
    : { numerator: significand * 10n ** BigInt(power), denominator: 1n };
}
