import assert from 'node:assert/strict';
import { createFixEdits, slotAt } from '../../../../../src/core/modules/manifest/manifestLanguage';
import { parseManifest } from '../../../../../src/core/modules/manifest/parseManifest';
import { applyTextEdits } from '../../../../support/applyTextEdits';

const TEXT = `{
    "module_id": "acme:weather",
    "entry_point": "main", "more": 12345678901234567890,
    "build": {
        "arch": ["linux/amd64", "x", "any"]
    }
}`;

describe('fixes of a module manifest', () => {
  it('change only what they fix', () => {
    const set = createFixEdits(TEXT, {
      kind: 'setValue',
      path: ['build', 'arch', 1],
      value: 'a"b',
    });
    assert.equal(applyTextEdits(TEXT, set), TEXT.replace('"x"', '"a\\"b"'));
    const rename = createFixEdits(TEXT, {
      kind: 'renameField',
      path: ['entry_point'],
      name: 'entrypoint',
    });
    assert.equal(applyTextEdits(TEXT, rename), TEXT.replace('entry_point', 'entrypoint'));
    const remove = createFixEdits(TEXT, { kind: 'removeValue', path: ['build', 'arch', 1] });
    assert.deepEqual(JSON.parse(applyTextEdits(TEXT, remove).replace(/\d{5,}/, '1')), {
      module_id: 'acme:weather',
      entry_point: 'main',
      more: 1,
      build: { arch: ['linux/amd64', 'any'] },
    });
    assert.match(applyTextEdits(TEXT, remove), /12345678901234567890/);
  });

  it('remove any element of an array and leave valid JSON', () => {
    const values = ['"linux/amd64"', '"any"', '{ "a": [1, 2] }'];
    for (const separator of [', ', ',', ' , ', ',\n        ']) {
      for (const [start, end] of [
        ['[', ']'],
        ['[ ', ' ]'],
        ['[\n        ', '\n    ]'],
      ] as const) {
        for (let index = 0; index < values.length; index += 1) {
          const text = `{\n    "arch": ${start}${values.join(separator)}${end}, "url": ""\n}`;
          const edits = createFixEdits(text, { kind: 'removeValue', path: ['arch', index] });
          assert.deepEqual(
            JSON.parse(applyTextEdits(text, edits)),
            {
              arch: values.toSpliced(index, 1).map((value): unknown => JSON.parse(value)),
              url: '',
            },
            text,
          );
        }
      }
    }
    const repeated = '{ "build": { "arch": ["linux/amd64", "linux/amd64"] } }';
    const edits = createFixEdits(repeated, { kind: 'removeValue', path: ['build', 'arch', 1] });
    assert.equal(applyTextEdits(repeated, edits), '{ "build": { "arch": ["linux/amd64"] } }');
  });

  it('change nothing if the problem no longer exists', () => {
    assert.deepEqual(createFixEdits(TEXT, { kind: 'removeValue', path: ['models', 0] }), []);
    assert.deepEqual(createFixEdits('nothing', { kind: 'setValue', path: ['a'], value: 'b' }), []);
  });
});

describe('suggestions in a module manifest', () => {
  /** `|` marks the cursor. */
  const at = (marked: string): ReturnType<typeof slotAt> => {
    const text = marked.replace('|', '');
    return slotAt(text, marked.indexOf('|'), parseManifest(text));
  };

  it('start models with the ID of the module', () => {
    const slot = at('{ "module_id": "acme:weather", "models": [{ "model": "ac|" }] }');
    assert.deepEqual(slot?.offer, { kind: 'values', values: ['acme:weather:'] });
    assert.equal(slot.written, 'ac');
    assert.equal(slot.span.length, 4);
  });

  it('contain files for paths, also for empty ones', () => {
    assert.deepEqual(at('{ "module_id": "a:b", "entrypoint": "dist/|" }')?.offer, {
      kind: 'files',
      isCommand: false,
    });
    assert.deepEqual(at('{ "module_id": "a:b", "build": { "setup": | } }')?.offer, {
      kind: 'files',
      isCommand: true,
    });
  });

  it('include those of the schema only if the manifest names another one', () => {
    const inArch = '"module_id": "a:b", "build": { "arch": ["linux/|"] } }';
    assert.equal(at(`{ ${inArch}`), undefined);
    const named = at(`{ "$schema": "https://example.com", ${inArch}`);
    assert.ok(named?.offer.kind === 'values' && named.offer.values.includes('linux/arm64'));
  });

  it('are omitted for names of fields and in other positions', () => {
    assert.equal(at('{ "module_id": "a:b", "entry|": "x" }'), undefined);
    assert.equal(at('{ "module_id": "a:b", "url": "x|" }'), undefined);
    assert.equal(at('[|]'), undefined);
  });
});
