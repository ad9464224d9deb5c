import assert from 'node:assert/strict';
import { printParseErrorCode } from 'jsonc-parser';
import { formatJsonSyntaxError } from '../../../../src/core/documents/formatJsonProblem';
import { findJsonProblems } from '../../../../src/core/documents/jsonProblems';
import { englishLocalizer } from '../../../../src/base/localizer';

/** Number of error codes of the parser, which start at 1. */
const PARSE_ERROR_CODES = 16;

describe('formatJsonSyntaxError', () => {
  const format = (text: string): string | undefined => {
    const [first] = findJsonProblems(text, 'text');
    return first && formatJsonSyntaxError(englishLocalizer, first.detail);
  };

  it('never contains a name from the parser', () => {
    const names = Array.from({ length: PARSE_ERROR_CODES }, (_, code) =>
      printParseErrorCode(code + 1),
    );
    assert.ok(!names.includes('<unknown ParseErrorCode>'));
    for (const name of names) {
      assert.ok(!formatJsonSyntaxError(englishLocalizer, name).includes(name), name);
    }
  });

  it('describes the error and the fix', () => {
    assert.match(format('{"at": ISODate("2025-01-01")}') ?? '', /Enclose text in double quotes/);
    assert.match(format('{"a": "x') ?? '', /closing double quote/);
    assert.match(format('{"a": "\\q"}') ?? '', /escape sequence/);
    assert.match(format('{"a": 1} 2') ?? '', /after the end/);
    assert.match(format('{"a" 1}') ?? '', /a colon is missing/);
  });
});
