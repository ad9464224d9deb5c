import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { findFiles } from '../../src/host/features/uploads/findFiles';

describe('findFiles', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fleetwright-search-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  const find = (path: string) =>
    findFiles([vscode.Uri.file(path)], {
      signal: new AbortController().signal,
      onFound: () => undefined,
    });

  it('explains what to do about a file name that is not valid UTF-8', async () => {
    await writeFile(join(folder, 'a.txt'), 'a');
    const invalid = Buffer.concat([
      Buffer.from(`${folder}/caf`),
      Buffer.of(0xe9),
      Buffer.from('.txt'),
    ]);
    await writeFile(invalid, 'b');
    const { files, skipped } = await find(folder);
    assert.deepEqual(
      files.map(({ path }) => path.split('/').at(-1)),
      ['a.txt'],
    );
    const [{ name, reason } = { name: '', reason: '' }, ...others] = skipped;
    assert.deepEqual(others, []);
    assert.match(name, /\/caf.+\.txt$/);
    assert.equal(reason, 'Its name is not valid UTF-8. Rename it, then upload it again.');
  });

  it('reports that a file was deleted', async () => {
    const { skipped } = await find(join(folder, 'deleted.txt'));
    assert.deepEqual(skipped, [{ name: 'deleted.txt', reason: 'It no longer exists.' }]);
  });
});
