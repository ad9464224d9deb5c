import assert from 'node:assert/strict';
import { addModelEntry } from '../../../../../src/core/modules/generate/addModel';
import { parseManifest } from '../../../../../src/core/modules/manifest/parseManifest';
import { applyTextEdits } from '../../../../support/applyTextEdits';

const ENTRY = { api: 'rdk:component:servo', model: 'acme:weather:vane' };
const LONG = '{\n      "api": "rdk:component:servo",\n      "model": "acme:weather:vane"\n    }';
const INLINE = '{ "api": "rdk:component:servo", "model": "acme:weather:vane" }';

function add(text: string): string | undefined {
  const edits = addModelEntry(text, ENTRY);
  return edits && applyTextEdits(text, edits);
}

describe('addModelEntry', () => {
  const cases: readonly (readonly [name: string, before: string, after: string])[] = [
    [
      'lays the entry out as the last one',
      '{\n  "models": [\n    {\n      "model": "a"\n    }\n  ]\n}',
      `{\n  "models": [\n    {\n      "model": "a"\n    },\n    ${LONG}\n  ]\n}`,
    ],
    [
      'stays in the line of a short list',
      '{ "models": [{ "model": "a" }], "more": 12345678901234567890 }',
      `{ "models": [{ "model": "a" }, ${INLINE}], "more": 12345678901234567890 }`,
    ],
    [
      'leaves comments at the entry that they are about',
      '{\n  "models": [\n    { "model": "a" } // the first\n    /* and no more */\n  ]\n}',
      `{\n  "models": [\n    { "model": "a" }, // the first\n    /* and no more */\n    ${INLINE}\n  ]\n}`,
    ],
    [
      'keeps a trailing comma, and does not take one in a comment for it',
      '{\n  "models": [\n    { "model": "a" }, // one, two\n  ],\n}',
      `{\n  "models": [\n    { "model": "a" }, // one, two\n    ${INLINE},\n  ],\n}`,
    ],
    ['fills an empty list', '{\n  "models": []\n}', `{\n  "models": [\n    ${LONG}\n  ]\n}`],
    [
      'keeps a comment in an empty list',
      '{\n  "models": [\n    // none\n  ]\n}',
      `{\n  "models": [\n    // none\n    ${LONG}\n  ]\n}`,
    ],
    [
      'adds a list where there is none',
      '{\n  "module_id": "acme:weather" // ours\n}',
      `{\n  "module_id": "acme:weather",\n  "models": [\n    ${LONG}\n  ] // ours\n}`,
    ],
    [
      'adds to the last of two lists, which is the one that counts',
      '{ "models": [1], "models": [{ "model": "a" }] }',
      `{ "models": [1], "models": [{ "model": "a" }, ${INLINE}] }`,
    ],
  ];

  for (const [name, before, after] of cases) {
    it(name, () => {
      assert.equal(add(before), after);
      // The same text with Windows line breaks and a byte order mark.
      const onWindows = `\uFEFF${before}`.replaceAll('\n', '\r\n');
      assert.equal(add(onWindows), `\uFEFF${after}`.replaceAll('\n', '\r\n'));
      assert.equal(parseManifest(after).manifest?.models.at(-1)?.model, ENTRY.model);
    });
  }

  it('indents with tabs if the manifest does', () => {
    assert.equal(
      add('{\n\t"models": []\n}'),
      '{\n\t"models": [\n\t\t{\n\t\t\t"api": "rdk:component:servo",\n\t\t\t"model": "acme:weather:vane"\n\t\t}\n\t]\n}',
    );
  });

  it('does not change an invalid manifest, or one whose models are not a list', () => {
    for (const text of ['', '[]', '{ "models": [', '{ "models": [{}]', '{ "models": "a" }']) {
      assert.equal(add(text), undefined, text);
    }
  });
});
