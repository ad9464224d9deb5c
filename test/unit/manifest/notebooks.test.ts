import assert from 'node:assert/strict';
import { notebooks } from '../../../src/manifest/contributions';
import manifest from '../../../package.json';

describe('notebooks in package.json', () => {
  const { contributes } = manifest;

  it('match the manifest module', () => {
    const [notebook] = contributes.notebooks;
    assert.equal(notebook?.type, notebooks.type);
    assert.deepEqual(notebook.selector, [{ filenamePattern: `*${notebooks.extension}` }]);
    assert.equal(contributes.notebooks.length, 1);
  });

  it('use the renderer of the manifest module', () => {
    assert.deepEqual(contributes.notebookRenderer, [
      {
        id: notebooks.renderer,
        displayName: '%notebook.renderer%',
        mimeTypes: [notebooks.mimeType],
        entrypoint: `./dist/webview/${notebooks.app}.js`,
        requiresMessaging: 'always',
      },
    ]);
  });
});
