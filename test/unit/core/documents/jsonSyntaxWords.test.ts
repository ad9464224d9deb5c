import assert from 'node:assert/strict';
import { ParseErrorCode, printParseErrorCode } from 'jsonc-parser';
import { jsonSyntaxWords } from '../../../../src/core/documents/jsonSyntaxWords';
import { findJsonProblems } from '../../../../src/core/documents/jsonProblems';
import { plainWords } from '../../../../src/core/modules/words';

describe('what is said of a text that is not JSON', () => {
  const said = (text: string): string | undefined => {
    const [first] = findJsonProblems(text, 'text');
    return first && jsonSyntaxWords(plainWords, first.detail);
  };

  it('says what is wrong and never a name of the parser', () => {
    const names = Object.values(ParseErrorCode).filter((code) => typeof code === 'number');
    for (const code of names) {
      const name = printParseErrorCode(code);
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
