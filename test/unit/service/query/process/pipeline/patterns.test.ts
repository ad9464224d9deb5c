import assert from 'node:assert/strict';
import { BSONRegExp } from 'bson';
import { runOn } from './runOn';

const matches = async (text: string, condition: unknown): Promise<boolean> =>
  (await runOn([{ text }], { $match: { text: condition } })).length === 1;

describe('patterns', () => {
  for (const [source, matching, other] of [
    ['\\Afoo', 'foo', 'a\nfoo'],
    ['foo\\z', 'foo', 'foo\n'],
    ['foo\\Z', 'foo\n', 'foo\na'],
    ['\\Q(a.b)\\E+', '(a.b)', 'a.b'],
    ['^[[:alpha:]_]+$', 'ab_C', 'a1'],
    ['^\\p{L}+$', 'é', '1'],
    ['\\x{1F600}', '😀', '😁'],
    ['(?i)^foo', 'FOO', 'a foo'],
    ['a\\\\Q', 'a\\Q', 'aQ'],
  ] as const) {
    it(`follow the syntax of PCRE: ${source}`, async () => {
      for (const condition of [
        { $regex: source },
        new BSONRegExp(source),
        { $not: { $not: { $regex: source } } },
        { $in: [new BSONRegExp(source)] },
      ]) {
        assert.ok(await matches(matching, condition), JSON.stringify(condition));
        assert.ok(!(await matches(other, condition)), JSON.stringify(condition));
      }
      const isMatch = { $regexMatch: { input: '$text', regex: source } };
      const [result] = await runOn([{ text: matching }], { $project: { isMatch } });
      assert.equal(result?.isMatch, true);
    });
  }

  it('have options, and are rejected if a part is not supported', async () => {
    assert.ok(await matches('a\nFOO', { $regex: '^foo$', $options: 'im' }));
    for (const [condition, message] of [
      [{ $regex: 'a', $options: 'x' }, /option x is not supported/],
      [{ $regex: '[[:^alpha:]]' }, /class \[:\^alpha:\] is not supported/],
      [{ $regex: '(' }, /\/\(\/ is not a valid pattern/],
      [{ $regex: '(?>a)' }, /is not a valid pattern/],
    ] as const) {
      await assert.rejects(matches('a', condition), message);
    }
  });
});
