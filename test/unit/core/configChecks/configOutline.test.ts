import assert from 'node:assert/strict';
import { literalString } from '../../../../src/core/configChecks/configDiagnostic';
import { atOnce } from '../../../../src/base/slices';
import { outlineConfigInSteps } from '../../../../src/core/configChecks/configOutline';
import {
  fleetReferencesIn,
  fragmentModsIn,
} from '../../../../src/core/configChecks/fleetReferences';
import { parseStrictTree } from '../../../../src/core/documents/jsonText';

const CONFIG = {
  components: [{ name: 'arm', model: 'fake' }, { model: 'no-name' }],
  fragments: ['first', { id: 'second', version: '2' }],
  modules: [
    { name: 'arms', module_id: 'acme:arms', version: '1.2.3' },
    { name: 'own', type: 'local', module_id: 'acme:own' },
  ],
  fragment_mods: [{ fragment_id: 'third', mods: [] }],
  network: { fqdn: 'here' },
};
const text = JSON.stringify(CONFIG);

function parseRoot() {
  const node = parseStrictTree(text);
  assert.ok(node);
  return { node, path: [] };
}

describe('outlineConfigInSteps', () => {
  it('lists the entries that have a name, with their sections', () => {
    const outline = atOnce(outlineConfigInSteps(parseRoot())).map(({ section, name, detail }) => [
      section,
      name,
      detail,
    ]);
    assert.deepEqual(outline, [
      ['components', 'arm', 'fake'],
      ['fragments', 'first', ''],
      ['fragments', 'second', '2'],
      ['modules', 'arms', '1.2.3'],
      ['modules', 'own', ''],
      ['fragment_mods', 'third', ''],
    ]);
  });

  it('has ranges that contain the names, as VS Code requires', () => {
    const all = atOnce(outlineConfigInSteps(parseRoot()));
    assert.ok(all.length > 0);
    for (const { node, nameNode } of all) {
      assert.ok(node.offset <= nameNode.offset);
      assert.ok(node.offset + node.length >= nameNode.offset + nameNode.length);
    }
  });
});

describe('fleetReferencesIn', () => {
  it('finds fragments and registry modules in the order of the text', () => {
    const found = fleetReferencesIn(parseRoot());
    assert.deepEqual(
      found.map(({ kind, id, entry, version }) => [kind, id, entry.path, literalString(version)]),
      [
        ['fragment', 'first', ['fragments', 0], undefined],
        ['fragment', 'second', ['fragments', 1], '2'],
        ['module', 'acme:arms', ['modules', 0], '1.2.3'],
      ],
    );
    assert.deepEqual(
      fragmentModsIn(parseRoot()).map(({ id }) => id),
      ['third'],
    );
  });
});
