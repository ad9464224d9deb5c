import assert from 'node:assert/strict';
import { FleetError } from '../../../../../src/core/api/errors';
import {
  type Deployment,
  deployModule,
  moduleUses,
  withModule,
} from '../../../../../src/core/modules/deploy/moduleUse';

const ORGANIZATION = '0a1b2c3d-0000-4000-8000-000000000000';
const sonar: Deployment = {
  ids: ['acme:sonar', `${ORGANIZATION}:sonar`],
  version: '1.0.1',
  versions: ['1.0.0', '1.0.1'],
};

function entry(text: string): unknown {
  return (JSON.parse(text) as { modules: readonly unknown[] }).modules.at(-1);
}

describe('deployModule', () => {
  it('creates a missing list in the format of the config', () => {
    assert.equal(
      deployModule('{\n  "components": []\n}', sonar),
      [
        '{',
        '  "components": [],',
        '  "modules": [',
        '    {',
        '      "type": "registry",',
        '      "name": "acme_sonar",',
        '      "module_id": "acme:sonar",',
        '      "version": "1.0.1"',
        '    }',
        '  ]',
        '}',
      ].join('\n'),
    );
    assert.deepEqual(entry(deployModule('', sonar)), {
      type: 'registry',
      name: 'acme_sonar',
      module_id: 'acme:sonar',
      version: '1.0.1',
    });
  });

  it('changes only the version of an existing module', () => {
    const text =
      '{"modules": [{"name":"s" , "module_id":"acme:sonar", "version":"1.0.0","env":{"A":1e2}}]}';
    assert.equal(deployModule(text, sonar), text.replace('"1.0.0"', '"1.0.1"'));
  });

  it('matches the ID of its organization too', () => {
    const text = `{"modules":[{"name":"s","module_id":"${ORGANIZATION}:sonar","version":"1.0.0"}]}`;
    assert.equal(deployModule(text, sonar), text.replace('1.0.0', '1.0.1'));
  });

  it('does not change a config that already resolves to the version', () => {
    for (const version of ['1.0.1', 'latest', '^1', '1.0']) {
      const text = `{"modules":[{"module_id":"acme:sonar","version":"${version}"}]}`;
      assert.equal(deployModule(text, sonar), text);
    }
  });

  it('leaves the version open if that resolves to the target version', () => {
    for (const version of ['', ',"version":""', ',"version":null']) {
      const text = `{"modules":[{"module_id":"acme:sonar"${version}}]}`;
      assert.equal(deployModule(text, sonar), text);
      assert.equal(
        deployModule(text, { ...sonar, version: '1.1.0' }),
        text,
        'one that was uploaded since the versions were read',
      );
    }
  });

  it('writes a version if an open one would resolve to another', () => {
    assert.equal(
      deployModule('{"modules":[{"module_id":"acme:sonar"}]}', { ...sonar, version: '1.0.0' }),
      '{"modules":[{"module_id":"acme:sonar","version":"1.0.0"}]}',
    );
  });

  it('changes every entry of the module', () => {
    const text =
      '{"modules":[{"module_id":"acme:sonar","version":"1.0.0"},{"module_id":"acme:sonar","version":"^0"}]}';
    assert.deepEqual(
      moduleUses(deployModule(text, sonar), sonar.ids).map(({ version }) => version),
      ['1.0.1', '^1'],
    );
  });

  it('uses a name that no other module of the config has', () => {
    const text = '{"modules":[{"name":"acme_sonar","type":"local","executable_path":"/s"}]}';
    assert.deepEqual(entry(deployModule(text, sonar)), {
      type: 'registry',
      name: 'acme_sonar-2',
      module_id: 'acme:sonar',
      version: '1.0.1',
    });
  });

  it('names a module of an organization without a namespace by its own name', () => {
    const nameless = { ...sonar, ids: [`${ORGANIZATION}:sonar`] as const };
    assert.deepEqual(entry(deployModule('{}', nameless)), {
      type: 'registry',
      name: 'sonar',
      module_id: `${ORGANIZATION}:sonar`,
      version: '1.0.1',
    });
  });

  it('does not change a local module with that ID, and adds the one of the registry', () => {
    const text = '{"modules":[{"name":"dev","type":"local","module_id":"acme:sonar"}]}';
    assert.deepEqual(moduleUses(deployModule(text, sonar), sonar.ids), [
      { name: 'acme_sonar', version: '1.0.1' },
    ]);
  });

  it('writes a requested pin', () => {
    const text = '{"modules":[{"module_id":"acme:sonar","version":"1.0.1"}]}';
    assert.equal(
      deployModule(text, { ...sonar, version: 'latest' }),
      text.replace('1.0.1', 'latest'),
    );
  });

  it('rejects a config with another value in that position', () => {
    for (const text of ['{"modules":{}}', '[]', '{']) {
      assert.throws(
        () => deployModule(text, sonar),
        (error) => error instanceof FleetError && error.kind === 'invalid',
      );
    }
  });
});

describe('withModule', () => {
  const latest = { ...sonar, version: 'latest' };

  it('adds a required module', () => {
    assert.equal(withModule('{}', latest), deployModule('{}', latest));
  });

  it('preserves the version of an existing module, also from a fragment', () => {
    const own = '{"modules":[{"module_id":"acme:sonar","version":"1.0.0"}]}';
    assert.equal(withModule(own, latest), own);
    assert.equal(withModule('{}', latest, own), '{}');
  });
});

describe('moduleUses', () => {
  it('returns nothing for text that is not a config', () => {
    for (const text of ['', '{', '[]', '{}', '{"modules":{}}', '{"modules":["acme:sonar"]}']) {
      assert.deepEqual(moduleUses(text, sonar.ids), [], text);
    }
  });
});
