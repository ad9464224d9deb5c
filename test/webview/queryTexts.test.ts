import assert from 'node:assert/strict';
import { check } from '../../src/core/query/language/queryLanguage';
import { fillParameters } from '../../src/core/query/language/parameters';
import { UNSAMPLED_SCHEMA } from '../../src/core/query/schema/querySchema';
import { queryLanguages } from '../../src/shared/query/editor';
import { snippetTemplate } from '../../webview/query/editor/completionSource';
import { exampleQuery, queryExamples } from '../../webview/query/exampleQueries';

const now = Date.UTC(2026, 10, 21, 12);

describe('example queries', () => {
  for (const language of queryLanguages) {
    for (const example of queryExamples) {
      it(`have no problems in ${language}: ${example}`, () => {
        const text = exampleQuery(example, { language, now });
        assert.deepEqual(check({ language, text }, UNSAMPLED_SCHEMA), []);
        const filled = fillParameters(language, text, { part_id: 'part-1' });
        assert.deepEqual(filled.missing, []);
        assert.equal(filled.text.includes('part-1'), example === 'ofPart');
      });
    }
  }
});

describe('snippets', () => {
  it('have fields in the format of the editor, and unescaped dollars', () => {
    assert.equal(
      snippetTemplate('"\\$group": { "_id": "\\$${1:part_id}", "n": $2 } $0'),
      '"$group": \\{ "_id": "$${1:part_id}", "n": ${2} \\} ${0}',
    );
  });

  it('preserve other text', () => {
    assert.equal(snippetTemplate('a $ b \\\\ {c}'), 'a $ b \\ \\{c\\}');
    assert.equal(snippetTemplate('\\\\\\\\\\${HOME\\}#{X\\} $0'), '\\\\$\\{HOME\\}#\\{X\\} ${0}');
  });
});
