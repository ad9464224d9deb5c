import assert from 'node:assert/strict';
import { advanceBase, mergeJson, type MergeSide } from '../../../../src/core/documents/jsonMerge';

const BASE = `{
  "components": [
    {
      "name": "left-motor",
      "attributes": { "rpm": 100, "pins": { "a": 1, "b": 2 } },
      "depends_on": ["board"]
    },
    { "name": "board", "type": "board" }
  ],
  "network": {}
}
`;

function merge(mine: string, theirs: string, side: MergeSide = 'mine'): [string, string[]] {
  const result = mergeJson({ base: BASE, mine, theirs }, () => side);
  assert.ok(result);
  JSON.parse(result.text);
  return [result.text, result.overlaps.map(({ path }) => path.join('.'))];
}

const edit = (...changes: [string, string][]): string =>
  changes.reduce((text, [from, to]) => {
    assert.ok(text.includes(from));
    return text.replace(from, to);
  }, BASE);

describe('mergeJson', () => {
  it('merges edits of one object, even on one line', () => {
    const mine = edit(['"rpm": 100', '"rpm": 200']);
    const theirs = edit(['"b": 2', '"b": 3']);
    const both = edit(['"rpm": 100', '"rpm": 200'], ['"b": 2', '"b": 3']);
    assert.deepEqual(merge(mine, theirs), [both, []]);
    assert.deepEqual(merge(theirs, mine), [both, []]);
  });

  it('returns one side if the other changed nothing, byte for byte', () => {
    const mine = edit(['"rpm": 100', '"rpm":  1.50'], ['"network": {}', '"network": { }']);
    assert.deepEqual(merge(mine, BASE), [mine, []]);
    assert.deepEqual(merge(BASE, mine), [mine, []]);
  });

  it('merges an identical change once', () => {
    const both = edit(['"rpm": 100', '"rpm": 200']);
    assert.deepEqual(merge(both, both), [both, []]);
  });

  it('merges elements that both sides added, each after its neighbor', () => {
    const mine = edit(['"type": "board" }', '"type": "board" },\n    { "name": "mine" }']);
    const theirs = edit(['"components": [', '"components": [\n    { "name": "theirs" },']);
    const [text, overlaps] = merge(mine, theirs);
    assert.deepEqual(overlaps, []);
    const names = [...text.matchAll(/"name": "([\w-]+)"/g)].map(([, name]) => name);
    assert.deepEqual(names, ['theirs', 'left-motor', 'board', 'mine']);
  });

  it('matches an element by its name if the other side moved it', () => {
    const theirs = BASE.replace(/ {4}\{\n[^]*? {4}\},\n/, '').replace(
      '"type": "board" }',
      '"type": "board" },\n    { "name": "left-motor", "attributes": { "rpm": 100, "pins": { "a": 1, "b": 2 } }, "depends_on": ["board"] }',
    );
    const [text, overlaps] = merge(edit(['"rpm": 100', '"rpm": 200']), theirs);
    assert.deepEqual(overlaps, []);
    assert.match(text, /"board" \},\s*\{[^]*"rpm": 200/);
  });

  it('removes what one side removed and the other did not change', () => {
    const theirs = edit([',\n    { "name": "board", "type": "board" }', '']);
    const [text, overlaps] = merge(edit(['"rpm": 100', '"rpm": 200']), theirs);
    assert.deepEqual(overlaps, []);
    assert.doesNotMatch(text, /"type": "board"/);
    assert.match(text, /"rpm": 200/);
  });

  it('reports a conflict for a value that both changed', () => {
    const [mine, theirs] = [edit(['100', '200']), edit(['100', '150'])];
    assert.deepEqual(merge(mine, theirs, 'mine'), [mine, ['components.left-motor.attributes.rpm']]);
    assert.deepEqual(merge(mine, theirs, 'theirs')[0], theirs);
  });

  it('reports a conflict for what one side removed and the other changed', () => {
    const mine = edit([',\n    { "name": "board", "type": "board" }', '']);
    const theirs = edit(['"type": "board"', '"type": "pi"']);
    assert.deepEqual(merge(mine, theirs, 'mine'), [mine, ['components.board']]);
    assert.match(merge(mine, theirs, 'theirs')[0], /"type": "pi"/);
  });

  it('merges plain lists by index and reports a conflict otherwise', () => {
    const mine = edit(['["board"]', '["first", "board"]']);
    const theirs = edit(['["board"]', '["board", "last"]']);
    assert.match(merge(mine, theirs)[0], /\["first", "board", "last"\]/);
    const [, overlaps] = merge(edit(['["board"]', '["one"]']), edit(['["board"]', '["two"]']));
    assert.deepEqual(overlaps, ['components.left-motor.depends_on']);
  });

  it('copies values verbatim', () => {
    const theirs = edit(['"b": 2', '"b": 90071992547409931234, "s": "\\u00e9 \\/"']);
    const [text] = merge(edit(['100', '1.50']), theirs);
    assert.ok(text.includes('"b": 90071992547409931234, "s": "\\u00e9 \\/"'));
    assert.ok(text.includes('"rpm": 1.50'));
  });

  it('preserves the format of mine: indentation, line breaks, last line', () => {
    const four = edit(['100', '200']).replace(/^( +)/gm, '$1$1').replaceAll('\n', '\r\n');
    const theirs = edit(['"network": {}', '"network": {\n    "fqdn": "x"\n  }']);
    const [text] = merge(four, theirs);
    assert.ok(text.includes('\r\n    "network": {\r\n'));
    assert.doesNotMatch(text, /[^\r]\n/);
    assert.ok(text.endsWith('}\r\n'));
  });

  it('does not merge into an object that repeats a key', () => {
    const twice = edit(['"network": {}', '"network": {"a": 1, "a": 2}']);
    const [, overlaps] = merge(twice, edit(['"network": {}', '"network": {"b": 1}']));
    assert.deepEqual(overlaps, ['network']);
  });

  it('does not merge text that is not JSON', () => {
    assert.equal(mergeJson({ base: BASE, mine: '{oops', theirs: BASE }), undefined);
  });

  it('merges deep documents quickly', () => {
    const nest = (leaf: string): string => '{"x":\n'.repeat(60) + leaf + '}'.repeat(60);
    const result = mergeJson({
      base: nest('{"a":1,"b":1}'),
      mine: nest('{"a":2,"b":1}'),
      theirs: nest('{"a":1,"b":2}'),
    });
    assert.match(result?.text ?? '', /"a": 2,\s*"b": 2/);
  });
});

describe('advanceBase', () => {
  const remote = edit(
    ['"rpm": 100', '"rpm": 150'],
    ['"b": 2', '"b": 3'],
    ['"network": {}', '"network": {}, "added": [1, { "x": 1 }]'],
    ['"type": "board" }', '"type": "board" }, { "name": "arm", "attributes": { "x": 1, "y": 1 } }'],
  );
  const merged = remote.replace('"rpm": 150', '"rpm": 200');
  const advance = (text: string): unknown =>
    JSON.parse(advanceBase(BASE, [{ remote, merged }], text));

  it('returns the remote text if nothing was changed since the merge, conflicts included', () => {
    assert.deepEqual(advance(merged), JSON.parse(remote));
  });

  it('returns the base if the merge was undone', () => {
    assert.deepEqual(advance(edit(['"rpm": 100', '"rpm": 200'])), {
      ...(JSON.parse(BASE) as object),
      components: (
        JSON.parse(remote.replace('"b": 3', '"b": 2')) as { components: object[] }
      ).components.slice(0, 2),
    });
  });

  it('excludes only the values that were edited or undone', () => {
    const text = merged.replace('"b": 3', '"b": 2').replace('"y": 1', '"y": 2');
    const expected = remote.replace('"b": 3', '"b": 2').replace(', "y": 1', '');
    assert.deepEqual(advance(text), JSON.parse(expected));
    const withoutArm = merged.replace(/, \{ "name": "arm".*\} \}/, '');
    assert.notEqual(withoutArm, merged);
    const expectedWithoutArm = remote.replace(/, \{ "name": "arm".*\} \}/, '');
    assert.deepEqual(advance(withoutArm), JSON.parse(expectedWithoutArm));
  });

  it('excludes a value whose kind was changed', () => {
    const text = merged.replace('"network": {}', '"network": 1').replace('[1, { "x": 1 }]', '[2]');
    const expected = remote.replace(/, "added": .*\]/, '');
    assert.deepEqual(advance(text), JSON.parse(expected));
  });

  it('preserves the removal of an entry by the other side', () => {
    const removed = '{"a": 1}';
    const base = '{"a": 1, "b": 2}';
    const after = [{ remote: removed, merged: '{"a": 5}' }];
    assert.deepEqual(JSON.parse(advanceBase(base, after, '{"a": 6}')), { a: 1 });
    assert.deepEqual(JSON.parse(advanceBase(base, after, '{"a": 6, "b": 2}')), {
      a: 1,
      b: 2,
    });
  });

  it('returns the base for text that is not JSON, and without merges', () => {
    assert.equal(advanceBase(BASE, [{ remote, merged }], '{'), BASE);
    assert.equal(advanceBase(BASE, [], merged), BASE);
  });

  it('advances step by step after several merges, the last of which was undone', () => {
    const first = { remote: '{"a": 1, "b": 1}', merged: '{"a": 1, "b": 1, "own": 1}' };
    const second = { remote: '{"a": 2, "b": 1}', merged: '{"a": 2, "b": 1, "own": 1}' };
    const base = '{"a": 0, "b": 0}';
    assert.deepEqual(JSON.parse(advanceBase(base, [first, second], second.merged)), { a: 2, b: 1 });
    assert.deepEqual(JSON.parse(advanceBase(base, [first, second], first.merged)), { a: 1, b: 1 });
  });
});
