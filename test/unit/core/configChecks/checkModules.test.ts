import assert from 'node:assert/strict';
import { parseStrictTree } from '../../../../src/core/documents/jsonText';
import { parseTree } from 'jsonc-parser';
import { englishLocalizer } from '../../../../src/base/localizer';
import { atOnce } from '../../../../src/base/slices';
import {
  checkModulesInSteps,
  type KnownModules,
} from '../../../../src/core/configChecks/checkModules';
import { moduleIdsIn, moduleIdsInText } from '../../../../src/core/configChecks/fleetReferences';
import { parseConfigText } from '../../../../src/core/documents/resolvedText';
import { isObject } from '../../../../src/core/fragments/configValue';
import { organizationId, registryItemId } from '../../../../src/core/model/ids';
import type { RegistryItem } from '../../../../src/core/model/registryItem';

function moduleItem(
  name: string,
  versions: readonly string[],
  models: readonly string[],
  deprecated = '0.9.0',
) {
  const item: RegistryItem = {
    id: registryItemId(`acme:${name}`),
    organizationId: organizationId('acme'),
    namespace: 'acme',
    name,
    type: 'module',
    visibility: 'public',
    url: '',
    description: '',
    markdown: undefined,
    versions: versions.map((version) => ({
      version,
      createdAt: undefined,
      files: [],
      deprecated: version === deprecated ? 'It loses readings.' : undefined,
    })),
    models: models.map((model) => ({
      api: 'rdk:component:arm',
      model,
      description: undefined,
      markdown: undefined,
    })),
    entrypoint: 'run.sh',
    machinesUsing: 0,
    organizationsUsing: 0,
    deprecated: undefined,
    updatedAt: undefined,
  };
  return item;
}

const ARMS = moduleItem('arms', ['1.9.0', '1.2.3', '0.9.0'], ['acme:arms:six-axis']);
const KNOWN: KnownModules = new Map([
  ['acme:arms', ARMS],
  ['acme:gone', undefined],
]);

function check(config: object, modules: KnownModules = KNOWN, resolved: object = config) {
  const text = JSON.stringify(config, undefined, 2);
  const value = parseConfigText(JSON.stringify(resolved));
  assert.ok(isObject(value));
  const tree = parseStrictTree(text);
  assert.ok(tree);
  const options = { resolved: value, modules, l10n: englishLocalizer };
  return atOnce(checkModulesInSteps(tree, options)).map((found) => [
    found.code,
    found.severity,
    text.slice(found.offset, found.offset + found.length),
    found.replacement,
  ]);
}

const use = (id: string, version?: string) => ({ name: 'arms', module_id: id, version });
const arm = (model: string) => ({ name: 'arm', type: 'arm', model });

describe('checkModulesInSteps', () => {
  it('finds modules that do not exist, and ignores unread ones', () => {
    assert.deepEqual(check({ modules: [use('acme:gone')] }), [
      ['unknownModule', 'warning', '"acme:gone"', undefined],
    ]);
    assert.deepEqual(check({ modules: [use('acme:unread')] }), []);
  });

  it('finds versions that do not exist or are deprecated, and suggests newer ones', () => {
    const at = (version: string) => check({ modules: [use('acme:arms', version)] });
    assert.deepEqual(at('1.9.0'), []);
    assert.deepEqual(at('latest'), []);
    assert.deepEqual(at('1.2'), []);
    assert.deepEqual(at('1.2.3'), [['newerVersion', 'suggestion', '"1.2.3"', '"1.9.0"']]);
    assert.deepEqual(at('0.9.0'), [['deprecatedVersion', 'hint', '"0.9.0"', '"1.9.0"']]);
    assert.deepEqual(at('3.0.0'), [['unknownVersion', 'warning', '"3.0.0"', '"1.9.0"']]);
  });

  it('suggests neither a deprecated version nor a prerelease', () => {
    const versions = ['2.1.0-rc1', '2.0.0', '1.9.0', '1.2.3'];
    const at = (version: string, among = versions) => {
      const item = moduleItem('arms', among, [], '2.0.0');
      return check({ modules: [use('acme:arms', version)] }, new Map([['acme:arms', item]]));
    };
    assert.deepEqual(at('1.9.0'), []);
    assert.deepEqual(at('2.1.0-rc1'), []);
    assert.deepEqual(at('^1'), []);
    assert.deepEqual(at('1.2.3'), [['newerVersion', 'suggestion', '"1.2.3"', '"1.9.0"']]);
    assert.deepEqual(at('2.0.0'), [['deprecatedVersion', 'hint', '"2.0.0"', '"1.9.0"']]);
    assert.deepEqual(at('3.0.0'), [['unknownVersion', 'warning', '"3.0.0"', '"1.9.0"']]);
    assert.deepEqual(at('3.0.0', ['2.1.0-rc1']), [
      ['unknownVersion', 'warning', '"3.0.0"', undefined],
    ]);
    assert.deepEqual(at('2.0.0', ['2.1.0-rc1', '2.0.0']), [
      ['deprecatedVersion', 'hint', '"2.0.0"', undefined],
    ]);
  });

  it('finds models that no module provides', () => {
    const modules = [use('acme:arms')];
    assert.deepEqual(check({ modules, components: [arm('acme:arms:six-axis')] }), []);
    assert.deepEqual(check({ modules, components: [arm('rdk:builtin:fake')] }), []);
    assert.deepEqual(check({ modules, components: [arm('acme:arms:six-axes')] }), [
      ['modelWithoutModule', 'warning', '"acme:arms:six-axes"', '"acme:arms:six-axis"'],
    ]);
  });

  it('ignores models if a module is local, unread, or in a missing fragment', () => {
    const components = [arm('other:arms:robot')];
    const local = { type: 'local', name: 'mine', executable_path: '/opt/mine' };
    assert.deepEqual(check({ modules: [use('acme:arms'), local], components }), []);
    assert.deepEqual(check({ modules: [use('acme:unread')], components }), []);
    const config = { modules: [use('acme:arms')], components };
    assert.deepEqual(check(config, KNOWN, { ...config, fragments: ['missing'] }), []);
  });

  it('ignores models of a pinned version, or of disabled components', () => {
    const components = [arm('acme:arms:old')];
    assert.deepEqual(
      check({ modules: [use('acme:arms', '1.2.3')], components }).map(([code]) => code),
      ['newerVersion'],
    );
    const disabled = [{ ...arm('acme:arms:old'), disabled: true }];
    assert.deepEqual(check({ modules: [use('acme:arms')], components: disabled }), []);
  });

  it('has the same rule for modules in text and in a parsed config', () => {
    const modules = [
      use('acme:arms'),
      use('acme:arms', '1.2.3'),
      { ...use('acme:legs'), type: 'registry' },
      { ...use('acme:mine'), type: 'Local' },
      use('${MODULE}'),
      use('unfinished'),
      { name: 'none' },
      'none',
    ];
    const text = JSON.stringify({ modules });
    const [node, config] = [parseTree(text), parseConfigText(text)];
    assert.ok(node && isObject(config));
    assert.deepEqual(moduleIdsIn(config), ['acme:arms', 'acme:legs']);
    assert.deepEqual(moduleIdsInText({ node, path: [] }), ['acme:arms', 'acme:legs']);
  });

  it('resolves the modules of fragments', () => {
    const config = { components: [arm('acme:arms:six-axis')] };
    const resolved = { ...config, modules: [use('acme:arms')] };
    assert.deepEqual(moduleIdsIn(resolved as never), ['acme:arms']);
    assert.deepEqual(check(config, KNOWN, resolved), []);
  });
});
