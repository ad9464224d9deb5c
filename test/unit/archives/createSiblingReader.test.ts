import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { FleetError } from '../../../src/core/api/errors';
import { createSiblingReader } from '../../../src/archives/readDiskChunks';
import { englishLocalizer } from '../../../src/base/localizer';
import { TestFolder } from '../../support/archives';

describe('text files next to a manifest', () => {
  let folder: TestFolder;

  beforeEach(() => {
    folder = new TestFolder();
  });
  afterEach(() => folder[Symbol.dispose]());

  const getRejection = async (path: string): Promise<string> => {
    const error: unknown = await createSiblingReader(
      folder.path,
      englishLocalizer,
    )(path).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof FleetError);
    return `${error.kind}: ${error.message}`;
  };

  it('are read, also through a link in the folder', async () => {
    folder.file('docs/README.md', '# Weather');
    folder.link('README.md', 'docs/README.md');
    assert.equal(
      await createSiblingReader(folder.path, englishLocalizer)('README.md'),
      '# Weather',
    );
  });

  it('are not read outside of the folder, not even through a link', async () => {
    folder.link('README.md', '/etc/passwd');
    assert.match(await getRejection('README.md'), /^invalid: .* outside its folder/);
    assert.match(await getRejection('../../etc/passwd'), /^(?:invalid|notFound): /);
  });

  it('are read only if they are files, not folders or blocking pipes', async () => {
    folder.file('docs/README.md');
    execFileSync('mkfifo', [join(folder.path, 'README.md')]);
    assert.match(await getRejection('docs'), /^invalid: .* is not a file/);
    assert.match(await getRejection('README.md'), /^invalid: .* is not a file/);
  });
});
