import assert from 'node:assert/strict';
import { FleetError } from '../../../../src/core/api/errors';
import { addFragment, type FragmentUse } from '../../../../src/core/documents/fragmentEdits';

const plain: FragmentUse = { id: 'f1', prefix: '', variables: '' };

describe('addFragment', () => {
  it('creates a missing list', () => {
    assert.equal(
      addFragment('{\n  "components": []\n}', plain),
      '{\n  "components": [],\n  "fragments": [\n    {\n      "id": "f1"\n    }\n  ]\n}',
    );
    assert.equal(addFragment('{"a":1}', plain), '{"a":1,"fragments":[{"id":"f1"}]}');
    assert.deepEqual(JSON.parse(addFragment('', plain)), { fragments: [{ id: 'f1' }] });
  });

  it('writes a use in the format of the list', () => {
    assert.equal(addFragment('{"fragments":["f0"]}', plain), '{"fragments":["f0","f1"]}');
    assert.equal(
      addFragment('{"fragments": [{"id": "f0"}]}', plain),
      '{"fragments": [{"id": "f0"}, {"id":"f1"}]}',
    );
  });

  it('does not change a config that already uses it', () => {
    for (const text of ['{"fragments":["f1"]}', '{ "fragments" : [{"id":"f1","version":"3"}] }']) {
      assert.equal(addFragment(text, plain), text);
    }
  });

  it('adds it again under another prefix', () => {
    const text = addFragment('{"fragments":["f1"]}', { ...plain, prefix: 'left-' });
    assert.deepEqual(JSON.parse(text), { fragments: ['f1', { id: 'f1', prefix: 'left-' }] });
  });

  it('sets variables of an existing use, and preserves its other keys', () => {
    const use = { ...plain, variables: '{"serial": 9007199254740993}' };
    assert.equal(
      addFragment('{"fragments":[{"id":"f1","version":"3","variables":{"a":1}}]}', use),
      '{"fragments":[{"id":"f1","version":"3","variables":{"a":1,"serial":9007199254740993}}]}',
    );
    assert.equal(
      addFragment('{"fragments":["f1"]}', use),
      '{"fragments":[{"id":"f1","variables":{"serial":9007199254740993}}]}',
    );
    const there = '{"fragments":[{"id":"f1","variables":{"serial":9007199254740993}}]}';
    assert.equal(addFragment(there, use), there);
  });

  it('rejects a config with another value in that position', () => {
    for (const text of ['{"fragments":{}}', '[]', '{']) {
      assert.throws(
        () => addFragment(text, plain),
        (error) => error instanceof FleetError && error.kind === 'invalid',
      );
    }
  });
});
