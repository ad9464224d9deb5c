import assert from 'node:assert/strict';
import { printParseErrorCode } from 'jsonc-parser';
import { jsonSyntaxWords } from '../../../../src/core/documents/jsonSyntaxWords';
import { findJsonProblems } from '../../../../src/core/documents/jsonProblems';
import { plainWords } from '../../../../src/core/modules/words';

/** Of the parser: they begin with 1. */
const PARSE_ERROR_CODES = 16;

describe('what is said of a text that is not JSON', () => {
  const said = (text: string): string | undefined => {
    const [first] = findJsonProblems(text, 'text');
    return first && jsonSyntaxWords(plainWords, first.detail);
  };

  it('says what is wrong and never a name of the parser', () => {
    const names = Array.from({ length: PARSE_ERROR_CODES }, (_, code) =>
      printParseErrorCode(code + 1),
    );
    assert.ok(!names.includes('<unknown ParseErrorCode>'));
    for (const name of names) {
      assert.ok(!jsonSyntaxWords(plainWords, name).includes(name), name);
    }
  });

  it('says what a person does about it', () => {
    assert.match(said('{"at": ISODate("2025-01-01")}') ?? '', /texts stand in double quotes/);
    assert.match(said('{"a": "x') ?? '', /does not end/);
    assert.match(said('{"a": "\\q"}') ?? '', /escapes/);
    assert.match(said('{"a": 1} x') ?? '', /./);
    assert.match(said('{"a" 1}') ?? '', /a colon is missing/);
  });
});
