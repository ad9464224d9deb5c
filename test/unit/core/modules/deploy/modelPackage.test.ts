import assert from 'node:assert/strict';
import { FleetError } from '../../../../../src/core/api/errors';
import { deployPackage, packageUses } from '../../../../../src/core/modules/deploy/modelService';
import type { Deployment } from '../../../../../src/core/modules/deploy/moduleUse';

const ORGANIZATION = '0a1b2c3d-0000-4000-8000-000000000000';
const defects: Deployment = {
  ids: [`${ORGANIZATION}/defects`, 'acme/defects'],
  version: '0.2.0',
  versions: ['0.1.0', '0.2.0'],
};

describe('deployPackage', () => {
  it('adds the package of a model, named by its organization', () => {
    const text = deployPackage('{\n  "components": []\n}', defects);
    assert.equal(
      text,
      [
        '{',
        '  "components": [],',
        '  "packages": [',
        '    {',
        '      "name": "defects",',
        `      "package": "${ORGANIZATION}/defects",`,
        '      "type": "ml_model",',
        '      "version": "0.2.0"',
        '    }',
        '  ]',
        '}',
      ].join('\n'),
    );
  });

  it('uses a name that no other package has', () => {
    const text = deployPackage('{"packages":[{"name":"defects","package":"b/defects"}]}', defects);
    assert.deepEqual(packageUses(text, defects.ids), [{ name: 'defects-2', version: '0.2.0' }]);
  });

  it('uses a name that no package of a fragment has, which it would replace', () => {
    const fragmentConfig = '{"packages":[{"name":"defects","package":"b/defects"}]}';
    const text = deployPackage('{"fragments":[{"id":"f"}]}', defects, fragmentConfig);
    assert.deepEqual(packageUses(text, defects.ids), [{ name: 'defects-2', version: '0.2.0' }]);
  });

  it('changes only the version if the model exists, under any of its IDs', () => {
    const text = '{"packages": [{"name":"d" , "package":"acme/defects", "version":"0.1.0"}]}';
    assert.equal(deployPackage(text, defects), text.replace('0.1.0', '0.2.0'));
  });

  it('does not change a config that already resolves to the version', () => {
    for (const version of ['0.2.0', 'latest']) {
      const text = `{"packages":[{"package":"acme/defects","version":"${version}"}]}`;
      assert.equal(deployPackage(text, defects), text);
    }
  });

  it('rejects a config with another value in place of packages', () => {
    assert.throws(() => deployPackage('{"packages":{}}', defects), FleetError);
    assert.throws(() => deployPackage('[]', defects), FleetError);
  });
});
