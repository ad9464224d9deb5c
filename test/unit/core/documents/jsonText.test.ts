import assert from 'node:assert/strict';
import {
  compactJson,
  presentJson,
  sameEditorText,
  sameJsonText,
  sameJsonValue,
} from '../../../../src/core/documents/jsonText';

describe('presentJson', () => {
  it('formats text on one line', () => {
    assert.equal(
      presentJson(' {"a":[],"b":{"c":1.0}} '),
      '{\n  "a": [],\n  "b": {\n    "c": 1.0\n  }\n}',
    );
  });

  it('returns a text of several lines unchanged', () => {
    const text = '{ "b": 1,\n"a": 2 }';
    assert.equal(presentJson(text), text);
  });

  it('returns text that is not JSON unchanged, and an empty text as an empty object', () => {
    assert.equal(presentJson('{oops'), '{oops');
    assert.equal(presentJson('  '), '{}');
  });

  it('removes a byte order mark, which editors hide', () => {
    assert.equal(presentJson('\uFEFF{\n}'), '{\n}');
  });

  it('changes only white space', () => {
    const stored = '{"big":9007199254740993,"s":"a  b\\u00e9 {[,:","n":-1.50e+3,"__proto__":null}';
    assert.equal(compactJson(presentJson(stored)), stored);
  });

  it('formats a large text', () => {
    const stored = JSON.stringify({
      components: Array.from({ length: 20_000 }, (_, n) => ({ n })),
    });
    assert.equal(compactJson(presentJson(stored)), stored);
  });
});

describe('comparing JSON texts', () => {
  it('ignores line breaks if editors do', () => {
    assert.equal(sameEditorText('{\r\n}\r', '{\n}\n'), true);
    assert.equal(sameEditorText('{ }', '{}'), false);
  });

  it('respects key order and digits if the text is stored', () => {
    assert.equal(sameJsonText('{ "a": 1 }', '{"a":1}'), true);
    assert.equal(sameJsonText('{"a":1,"b":2}', '{"b":2,"a":1}'), false);
    assert.equal(sameJsonText('9007199254740992', '9007199254740993'), false);
    assert.equal(sameJsonText('"a b"', '"ab"'), false);
    assert.equal(sameJsonText('"a\\" b"', '"a\\"b"'), false);
  });

  it('compares values if a Struct is stored', () => {
    assert.equal(
      sameJsonValue('{"a":1,"b":[{"c":2,"d":3}]}', '{"b":[{"d":3,"c":2}],"a":1.0}'),
      true,
    );
    assert.equal(sameJsonValue('{"a":[1,2]}', '{"a":[2,1]}'), false);
    assert.equal(sameJsonValue('{"a":1}', '{"a":"1"}'), false);
    assert.equal(sameJsonValue('{oops', '{}'), false);
  });
});
