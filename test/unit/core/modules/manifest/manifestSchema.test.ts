import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KNOWN_APIS } from '../../../../../src/core/modules/moduleNames';
import { APP_TYPES } from '../../../../../src/core/modules/manifest/checkFields';
import {
  type DescribedField,
  describeField,
} from '../../../../../src/core/modules/manifest/manifestLanguage';
import { type Fields, MANIFEST_FIELDS } from '../../../../../src/core/modules/manifest/checkShape';
import { MANIFEST_VISIBILITIES } from '../../../../../src/core/modules/manifest/moduleManifest';
import { parseManifest } from '../../../../../src/core/modules/manifest/parseManifest';
import { PLATFORMS } from '../../../../../src/core/modules/platforms';

const path = join(__dirname, '../../../../../media/schemas/moduleManifest.schema.json');
const schema = JSON.parse(readFileSync(path, 'utf8')) as {
  readonly if: unknown;
  readonly then: DescribedField;
};

function getPropertyNames(described: DescribedField | undefined): readonly string[] {
  return Object.keys(described?.properties ?? {}).toSorted();
}

function suggestedBy(described: DescribedField | undefined): readonly string[] {
  return described?.anyOf?.flatMap((form) => form.enum ?? []).toSorted() ?? [];
}

describe('the schema of module manifests', () => {
  const { properties = {} } = schema.then;
  const { models, build, applications, apps, visibility } = properties;

  it('includes all checked fields', () => {
    const checkFields = (fields: Fields, described: DescribedField | undefined): void => {
      assert.deepEqual(getPropertyNames(described), Object.keys(fields).toSorted());
      for (const [name, shape] of Object.entries(fields)) {
        const inner = described?.properties?.[name];
        assert.ok(inner?.description, name);
        if (typeof shape === 'string') continue;
        if ('fields' in shape) checkFields(shape.fields, inner);
        else checkFields(shape.each, inner.items);
      }
    };
    checkFields(MANIFEST_FIELDS, schema.then);
  });

  it('suggests the values of the registry and of machines', () => {
    assert.deepEqual(suggestedBy(models?.items?.properties?.api), KNOWN_APIS.toSorted());
    assert.deepEqual(suggestedBy(build?.properties?.arch?.items), PLATFORMS.toSorted());
    assert.deepEqual(suggestedBy(visibility), Object.values(MANIFEST_VISIBILITIES).toSorted());
    for (const list of [applications, apps]) {
      assert.deepEqual(suggestedBy(list?.items?.properties?.type), APP_TYPES.toSorted());
    }
  });

  it('ignores files of other programs', () => {
    assert.deepEqual(schema.if, { required: ['module_id'] });
    assert.deepEqual(Object.keys(schema).toSorted(), ['$comment', '$schema', 'if', 'then']);
  });

  it('describes fields and their values', () => {
    /** `|` marks the mouse position. */
    const at = (marked: string): readonly string[] | undefined => {
      const text = marked.replace('|', '');
      const parsed = parseManifest(text);
      return describeField(text, marked.indexOf('|'), { parsed, schema: schema.then })?.texts;
    };
    assert.match(at('{ "entry|point": "main" }')?.[0] ?? '', /^The file that machines start/);
    assert.deepEqual(
      at('{ "visibility": "pub|lic" }')?.[1],
      'public: Anyone. The module appears in lists.',
    );
    assert.match(
      at('{ "models": [{ "api": "rdk:component:|sensor" }] }')?.[1] ?? '',
      /readings of any kind/,
    );
    assert.equal(at('{ "constructor|": 1 }'), undefined);
    assert.equal(at('{ "build": [{ "x|": 1 }] }'), undefined);
    assert.equal(at('|[]'), undefined);
  });
});
