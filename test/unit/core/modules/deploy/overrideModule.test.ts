import assert from 'node:assert/strict';
import { parseConfigText } from '../../../../../src/core/documents/resolvedText';
import { resolveText } from '../../../../support/resolveText';
import { isObject } from '../../../../../src/core/fragments/configValue';
import type { FragmentLookup } from '../../../../../src/core/fragments/resolveConfig';
import {
  type FragmentModule,
  moduleInFragments,
  nameInOverrides,
  overrideModule,
} from '../../../../../src/core/modules/deploy/moduleInFragments';

const inner = { modules: [{ name: 'sonar', module_id: 'acme:sonar', version: '1.0.0' }] };
const outer = { fragments: ['inner'], modules: [{ name: 'other', module_id: 'acme:other' }] };
const fragments: Readonly<Record<string, object>> = { inner, outer };
const lookup: FragmentLookup = (id) => {
  const found = fragments[id];
  return found && parseConfigText(JSON.stringify(found));
};

function findFragmentModule(text: string): FragmentModule | undefined {
  const resolved = resolveText(text, lookup);
  const config = resolved && parseConfigText(resolved.text);
  return isObject(config)
    ? moduleInFragments(config, resolved?.origins ?? [], ['acme:sonar'])
    : undefined;
}

describe('a module from fragments', () => {
  it('is found with the imported fragment and the one that contains it', () => {
    assert.deepEqual(findFragmentModule('{"fragments":["outer"]}'), {
      name: 'sonar',
      version: '1.0.0',
      usedFragment: 'outer',
      holdingFragment: 'inner',
    });
  });

  it('is not found if the config contains it itself, or no fragment does', () => {
    assert.equal(
      findFragmentModule('{"modules":[{"name":"s","module_id":"acme:sonar"}]}'),
      undefined,
    );
    assert.equal(findFragmentModule('{"fragments":[]}'), undefined);
  });

  for (const text of [
    '{"fragments":["outer"]}',
    '{"fragments":["outer"],"fragment_mods":[]}',
    '{"fragments":["outer"],"fragment_mods":[{"fragment_id":"outer","mods":[]}]}',
    '{"fragments":["outer"],"fragment_mods":[{"fragment_id":"outer","mods":[{"$set":{"modules.sonar.version":"0.9.0"}}]}]}',
  ]) {
    it(`gets another version for one machine only: ${text}`, () => {
      const override = { fragmentId: 'outer', name: 'sonar', version: '1.0.1' };
      const edited = overrideModule(text, override);
      assert.equal(findFragmentModule(edited)?.version, '1.0.1');
      assert.equal(edited.split('modules.sonar.version').length, 2);
    });
  }

  const lasting = (...mods: readonly object[]): string =>
    JSON.stringify({ fragments: ['outer'], fragment_mods: [{ fragment_id: 'outer', mods }] });
  const set = (target: string, value: string) => ({ $set: { [target]: value } });
  const rename = (from: string, to: string) => ({ $rename: { [from]: to } });
  for (const text of [
    lasting(set('modules.sonar.name', 'depth')),
    lasting(set('modules.sonar.version', '0.9.0'), set('modules.sonar.name', 'depth')),
    lasting(
      set('modules.sonar.version', '0.9.0'),
      rename('modules.sonar.version', 'modules.sonar.v'),
    ),
    lasting(rename('modules.sonar.version', 'modules.sonar.was')),
    lasting(
      set('modules.sonar.label', 'depth'),
      rename('modules.sonar.label', 'modules.sonar.name'),
    ),
    lasting(set('modules.sonar.version', '0.9.0'), set('modules.1.version', '0.8.0')),
    lasting(set('modules.sonar.version', '0.9.0'), { $unset: { 'modules.sonar.version': '' } }),
  ]) {
    it(`gets another version despite other changes: ${text}`, () => {
      const found = findFragmentModule(text);
      const config = parseConfigText(text);
      assert.ok(found && isObject(config));
      const name = nameInOverrides(config, lookup, found, ['acme:sonar']);
      assert.equal(name, 'sonar');
      const edited = overrideModule(text, { fragmentId: 'outer', name, version: '1.0.1' });
      assert.equal(findFragmentModule(edited)?.version, '1.0.1');
      const again = overrideModule(edited, { fragmentId: 'outer', name, version: '1.0.1' });
      assert.equal(again, edited, 'it is not repeated');
    });
  }

  it('is changed in place if later overrides change something else', () => {
    const text = lasting(
      set('modules.sonar.version', '0.9.0'),
      set('modules.other.version', '2.0.0'),
      set('modules.sonar.name', 'depth'),
    );
    const override = { fragmentId: 'outer', name: 'sonar', version: '1.0.1' };
    assert.equal(overrideModule(text, override), text.replace('0.9.0', '1.0.1'));
  });
});
