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
  it('has all required fields, and no problem', () => {
    const text = registeredManifest(undefined, ID);
    const { manifest, problems } = parseManifest(text);
    assert.deepEqual(problems, []);
    assert.equal(manifest?.moduleId, 'acme:wheel');
    assert.equal(manifest.visibility, 'private');
    assert.equal(manifest.build.path, 'dist/archive.tar.gz');
  });

  it('is an existing manifest with its ID, and otherwise unchanged', () => {
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

  it('preserves the visibility, the position of the ID, and the line breaks', () => {
    const present = '{\r\n\t"visibility": "public",\r\n\t"module_id": "old:name"\r\n}';
    assert.equal(
      registeredManifest(present, ID),
      '{\r\n\t"visibility": "public",\r\n\t"module_id": "acme:wheel"\r\n}',
    );
  });

  it('begins with the ID if it was an empty object', () => {
    assert.equal(parseManifest(registeredManifest('{}', ID)).manifest?.moduleId, 'acme:wheel');
  });
});

describe('the name of a new module', () => {
  it('follows the rules of the registry', () => {
    const taken = new Set(['wheel']);
    assert.equal(moduleNameProblem('', taken), 'empty');
    assert.equal(moduleNameProblem('my wheel', taken), 'characters');
    assert.equal(moduleNameProblem('../wheel', taken), 'characters');
    assert.equal(moduleNameProblem('wheel', taken), 'taken');
    assert.equal(moduleNameProblem('x'.repeat(201), taken), 'tooLong');
    assert.equal(moduleNameProblem('Wheel_2-b', taken), undefined);
  });

  it('is suggested for any text', () => {
    assert.equal(suggestedModuleName(' My Räder! '), 'My-R-der');
    assert.equal(suggestedModuleName('…'), '');
  });

  it('is the second half of an ID', () => {
    assert.deepEqual(splitModuleId('acme:wheel'), { owner: 'acme', name: 'wheel' });
    assert.deepEqual(splitModuleId('wheel'), { owner: '', name: 'wheel' });
  });
});
