import assert from 'node:assert/strict';
import { fillParameters, listParameters } from '../../../../../src/core/query/language/parameters';

describe('listParameters', () => {
  it('names the parameters of SQL once, in order of appearance', () => {
    const text =
      'SELECT * FROM readings WHERE part_id = :part_id AND method_name = {{ method }} OR part_id = :part_id';
    assert.deepEqual(listParameters('sql', text), ['part_id', 'method']);
  });

  for (const [what, text] of [
    ['casts', 'SELECT time_received::date, a :: date FROM readings'],
    ['strings', "SELECT ':part_id', e'\\':x', $$ :y {{z}} $$"],
    ['quoted names', 'SELECT ":part_id"'],
    ['comments', 'SELECT 1 -- :a {{b}}\n/* :c /* :d */ :e */'],
    ['structs', "SELECT {'a':part_id, b:robot_id, c: part_id}"],
    ['slices', 'SELECT tags[1:n], tags[:n], list(x)[a :b]'],
    ['named columns', 'SELECT id:part_id FROM readings'],
    ['named arguments', 'SELECT f(a := 1)'],
  ] as const) {
    it(`ignores ${what} as parameters`, () => {
      assert.deepEqual(listParameters('sql', text), []);
    });
  }

  it('finds parameters in all positions of values', () => {
    const text =
      "SELECT round(data.x, :digits), {'a': :in_struct}, [:in_list] FROM readings WHERE robot_id IN (:a, :b) AND x BETWEEN :c AND :d LIMIT :n";
    assert.deepEqual(listParameters('sql', text), [
      'digits',
      'in_struct',
      'in_list',
      'a',
      'b',
      'c',
      'd',
      'n',
    ]);
  });

  it('finds those in braces within SQL strings', () => {
    assert.deepEqual(listParameters('sql', "SELECT 'machine {{ robot }}', e'{{part}}'"), [
      'robot',
      'part',
    ]);
  });

  it('finds those of a pipeline in strings and bare, and none in comments', () => {
    const text = '[{"$match": {"part_id": "{{part}}", "n": {{ n }}}} /* {{a}} */ // {{b}}\n]';
    assert.deepEqual(listParameters('mql', text), ['part', 'n']);
  });
});

describe('fillParameters', () => {
  const sql = (text: string, values: Record<string, string>): string =>
    fillParameters('sql', text, values).text;
  const mql = (text: string, values: Record<string, string>): string =>
    fillParameters('mql', text, values).text;

  it('inserts a value as a string with any content', () => {
    assert.equal(
      sql('part_id = :p AND x', { p: "a' OR 1=1 --" }),
      "part_id = 'a'' OR 1=1 --' AND x",
    );
    assert.equal(sql("= '{{p}}'", { p: "a'b\\" }), "= 'a''b\\'");
    assert.equal(sql("= e'{{p}}'", { p: "a\\'b" }), "= e'a\\\\''b'");
    assert.equal(sql('= :p', { p: 'a\0b' }), "= 'ab'");
  });

  it('does not replace parameters within values', () => {
    assert.equal(
      sql('WHERE a = :a AND b = :b', { a: ':b {{b}}', b: 'x' }),
      "WHERE a = ':b {{b}}' AND b = 'x'",
    );
  });

  it('inserts a number of rows only as a number', () => {
    assert.equal(sql('LIMIT :n OFFSET :m', { n: '10', m: '1; x' }), "LIMIT 10 OFFSET '1; x'");
  });

  it('escapes values in the strings of a pipeline as JSON', () => {
    assert.equal(mql('["a {{p}}"]', { p: '"\\\n' }), '["a \\"\\\\\\n"]');
  });

  it('inserts numbers for bare parameters and limits of a pipeline, and strings otherwise', () => {
    assert.equal(
      mql('[{{a}}, {{b}}, {{c}}]', { a: '-1.5', b: '1e5', c: '007' }),
      '[-1.5, "1e5", "007"]',
    );
    assert.equal(mql('{"$limit": "{{n}}", "x": "{{n}}"}', { n: '5' }), '{"$limit": 5, "x": "5"}');
    assert.equal(mql('{"$limit": "{{n}}"}', { n: '", "x": 1' }), '{"$limit": "\\", \\"x\\": 1"}');
  });

  it('returns those without a value, and does not replace them', () => {
    const filled = fillParameters('sql', 'WHERE a = :a AND b = :b AND c = :b', { a: '1' });
    assert.equal(filled.text, "WHERE a = '1' AND b = :b AND c = :b");
    assert.deepEqual(filled.missing, ['b']);
  });

  it('ignores inherited members as values', () => {
    assert.deepEqual(fillParameters('sql', 'WHERE a = :toString', {}).missing, ['toString']);
  });

  it('maps a position in the filled text to the original text', () => {
    const text = 'a = :part AND oops';
    const filled = fillParameters('sql', text, { part: 'x'.repeat(40) });
    const at = filled.text.indexOf('oops');
    assert.equal(filled.mapOffset(at), text.indexOf('oops'));
    assert.equal(filled.mapOffset(at + 4, 'end'), text.length);
    assert.equal(filled.mapOffset(0), 0);
    const within = filled.text.indexOf('xxx');
    assert.deepEqual([filled.mapOffset(within), filled.mapOffset(within, 'end')], [4, 9]);
  });

  it('maps positions after values that are shorter than their names', () => {
    const text = 'WHERE a = {{ long_name }} AND b = :another_name AND oops';
    const filled = fillParameters('sql', text, { long_name: '', another_name: 'y' });
    const at = filled.text.indexOf('oops');
    assert.equal(filled.mapOffset(at), text.indexOf('oops'));
  });
});
