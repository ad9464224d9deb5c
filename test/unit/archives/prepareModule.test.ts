import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DiskBuilds } from '../../../src/archives/diskBuilds';
import { prepareModule } from '../../../src/archives/prepareModule';
import type { Platform } from '../../../src/core/modules/platforms';
import { englishLocalizer } from '../../../src/base/localizer';
import { TestFolder } from '../../support/archives';

const { signal } = new AbortController();

describe('a module with a build outside of its folder', () => {
  let folder: TestFolder;

  beforeEach(() => {
    folder = new TestFolder();
    folder.program('elsewhere/main.sh');
  });
  afterEach(() => folder[Symbol.dispose]());

  async function errorsWith(
    path: string,
    isBuildNamed = false,
    { platform = 'any', arch = [] }: { platform?: Platform; arch?: readonly string[] } = {},
  ): Promise<readonly string[]> {
    const manifest = { module_id: 'acme:sonar', entrypoint: 'main.sh', build: { path, arch } };
    folder.file('module/meta.json', JSON.stringify(manifest));
    const { diagnostics } = await prepareModule(
      { manifest: join(folder.path, 'module/meta.json'), isBuildNamed, platform },
      new DiskBuilds(englishLocalizer),
      signal,
    );
    return diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);
  }

  it('is rejected because of its path', async () => {
    assert.deepEqual(await errorsWith('../elsewhere'), ['pathParent']);
  });

  it('is rejected because of a link, unless the user selected the build', async () => {
    folder.link('module/build', '../elsewhere');
    assert.deepEqual(await errorsWith('build'), ['buildOutside']);
    assert.deepEqual(await errorsWith('build', true), []);
  });

  it('is rejected for a platform that the manifest does not list', async () => {
    folder.program('module/build/main.sh');
    const errors = (platform: Platform, ...arch: readonly string[]) =>
      errorsWith('build', false, { platform, arch });
    assert.deepEqual(await errors('linux/arm64', 'linux/amd64'), ['platformUnlisted']);
    assert.deepEqual(await errors('any', 'linux/amd64'), ['platformUnlisted']);
    assert.deepEqual(await errors('linux/arm64', 'linux/amd64', 'linux/arm64'), []);
    assert.deepEqual(await errors('linux/arm64', 'linux/any'), []);
    assert.deepEqual(await errors('linux/arm64', 'any'), []);
    assert.deepEqual(await errors('linux/arm64'), []);
  });
});
