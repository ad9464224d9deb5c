import assert from 'node:assert/strict';
import { registryItemId } from '../../../../../src/core/model/ids';
import {
  moduleNameProblem,
  splitModuleId,
  suggestedModuleName,
} from '../../../../../src/core/modules/moduleNames';
import { registeredManifest } from '../../../../../src/core/modules/manifest/registeredManifest';
import { parseManifest } from '../../../../../src/core/modules/manifest/parseManifest';

const ID = registryItemId('acme:wheel');

describe('the manifest of a new module', () => {
  it('has what every manifest needs, and nothing that is wrong', () => {
    const text = registeredManifest(undefined, ID);
    const { manifest, problems } = parseManifest(text);
    assert.deepEqual(problems, []);
    assert.equal(manifest?.moduleId, 'acme:wheel');
    assert.equal(manifest.visibility, 'private');
    assert.equal(manifest.build.path, 'dist/archive.tar.gz');
  });

  it('is the one that is there with its id, where everything else stays', () => {
    const present = `{
    // mine
    "$schema": "x",
    "models": [],   "future": {"b": 1, "a": 12345678901234567890}
}
`;
    assert.equal(
      registeredManifest(present, ID),
      `{
    // mine
    "$schema": "x",
    "module_id": "acme:wheel",
    "visibility": "private",
    "models": [],   "future": {"b": 1, "a": 12345678901234567890}
}
`,
    );
  });

  it('keeps the visibility and the place of the id, and the line ends', () => {
    const present = '{\r\n\t"visibility": "public",\r\n\t"module_id": "old:name"\r\n}';
    assert.equal(
      registeredManifest(present, ID),
      '{\r\n\t"visibility": "public",\r\n\t"module_id": "acme:wheel"\r\n}',
    );
  });

  it('begins with the id where there was an empty object', () => {
    assert.equal(parseManifest(registeredManifest('{}', ID)).manifest?.moduleId, 'acme:wheel');
  });
});

describe('the name of a new module', () => {
  it('keeps to the rules of the registry', () => {
    const taken = new Set(['wheel']);
    assert.equal(moduleNameProblem('', taken), 'empty');
    assert.equal(moduleNameProblem('my wheel', taken), 'characters');
    assert.equal(moduleNameProblem('../wheel', taken), 'characters');
    assert.equal(moduleNameProblem('wheel', taken), 'taken');
    assert.equal(moduleNameProblem('x'.repeat(201), taken), 'tooLong');
    assert.equal(moduleNameProblem('Wheel_2-b', taken), undefined);
  });

  it('is suggested from any text', () => {
    assert.equal(suggestedModuleName(' My Räder! '), 'My-R-der');
    assert.equal(suggestedModuleName('…'), '');
  });

  it('is the second half of an id', () => {
    assert.deepEqual(splitModuleId('acme:wheel'), { owner: 'acme', name: 'wheel' });
    assert.deepEqual(splitModuleId('wheel'), { owner: '', name: 'wheel' });
  });
});
