import assert from 'node:assert/strict';
import type { ConfigValue } from '../../../../src/core/fragments/configValue';
import { resolveConfig } from '../../../../src/core/fragments/resolveConfig';
import { atOnce } from '../../../../src/base/slices';
import { resourceNamesInSteps } from '../../../../src/core/configChecks/resourceNames';
import { allNamesInSteps } from '../../../../src/core/configChecks/fragmentNames';
import { parseStrictTree } from '../../../../src/core/documents/jsonText';

describe('resourceNamesInSteps', () => {
  it('treats only names in attributes as references, not paths, URLs, or longer texts', () => {
    const attributes = {
      source: 'camera',
      qualified: 'rdk:component:camera/camera',
      device: '/dev/camera',
      url: 'https://example.com/v1/camera',
      size: 'camera:640',
      directory: '/data/',
      serial: '',
    };
    const components = [
      { name: 'camera', type: 'camera', model: 'fake', attributes },
      { name: '', type: 'arm', model: 'fake' },
    ];
    const node = parseStrictTree(JSON.stringify({ components }));
    assert.ok(node);
    const { references } = atOnce(resourceNamesInSteps({ node, path: [] }));
    assert.deepEqual(
      references.map(({ at }) => at.path.at(-1)),
      ['source', 'qualified'],
    );
  });
});

describe('allNamesInSteps', () => {
  const FRAGMENT: ConfigValue = {
    components: [
      {
        name: { $variable: { name: 'arm' } },
        type: 'arm',
        model: 'fake',
        attributes: { board: { $variable: { name: 'board' } } },
      },
      { name: 'wrist', type: 'arm', model: 'fake' },
    ],
  };

  /** Returns the definitions and the references of a name, as paths in the config. */
  function findAll(config: ConfigValue, name: string): readonly [string[], string[]] {
    const node = parseStrictTree(JSON.stringify(config));
    assert.ok(node);
    const resolved = resolveConfig(config, () => FRAGMENT);
    const { definitions, references } = atOnce(allNamesInSteps({ node, path: [] }, resolved));
    return [
      definitions.filter(({ text }) => text === name).map((one) => one.name.path.join('/')),
      references
        .filter((one) => one.name === name)
        .map(({ kind, at }) => `${kind} ${at.path.join('/')}`),
    ];
  }

  it('finds a resource that a variable names, and the overrides for it', () => {
    const config = {
      services: [
        { name: 'motion', type: 'motion', depends_on: ['left'], attributes: { of: 'left' } },
      ],
      fragments: [{ id: 'f', variables: { arm: 'left', board: 'motion' } }],
      fragment_mods: [
        {
          fragment_id: 'f',
          mods: [
            { $set: { 'components.left.attributes.speed': 1, 'components.leftover.model': 'x' } },
            { $rename: { 'components.left.attributes.a': 'components.left.attributes.b' } },
          ],
        },
        { fragment_id: 'g', mods: [{ $unset: { 'components.left': '' } }] },
      ],
    };
    assert.deepEqual(findAll(config, 'left'), [
      ['fragments/0/variables/arm'],
      [
        'dependency services/0/depends_on/0',
        'attribute services/0/attributes/of',
        'path fragment_mods/0/mods/0/$set/components.left.attributes.speed',
        'path fragment_mods/0/mods/1/$rename/components.left.attributes.a',
        'path fragment_mods/0/mods/1/$rename/components.left.attributes.a',
      ],
    ]);
    assert.deepEqual(findAll(config, 'motion'), [
      ['services/0/name'],
      ['fragment fragments/0/variables/board'],
    ]);
  });

  it('finds the names of own resources in variables and overrides, but not in their paths', () => {
    const config = {
      components: [{ name: 'wrist', type: 'arm', model: 'fake' }],
      fragments: [{ id: 'f', prefix: 'left', variables: { arm: 'wrist' } }],
      fragment_mods: [
        {
          fragment_id: 'f',
          mods: [{ $set: { 'components.wrist.depends_on': ['wrist', 'wrists'] } }],
        },
      ],
    };
    assert.deepEqual(findAll(config, 'wrist'), [
      ['components/0/name'],
      [
        'fragment fragments/0/variables/arm',
        'fragment fragment_mods/0/mods/0/$set/components.wrist.depends_on/0',
      ],
    ]);
  });
});
