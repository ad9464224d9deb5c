import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPrivateFile } from '../../../../src/service/files/privateFile';

/** Fails with the error of a FAT file system. */
const rejectLinks = (): Promise<never> =>
  Promise.reject(
    Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' }),
  );

describe('createPrivateFile', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  for (const [where, options] of [
    ['with hard links', []],
    ['without hard links', [rejectLinks]],
  ] as const) {
    it(`creates a file only for its owner, and never over another one, on file systems ${where}`, async () => {
      const path = join(folder, 'key');
      await createPrivateFile(path, 'first', ...options);
      if (process.platform !== 'win32') assert.equal((await stat(path)).mode & 0o777, 0o600);
      await assert.rejects(createPrivateFile(path, 'second', ...options), { code: 'EEXIST' });
      assert.equal(await readFile(path, 'utf8'), 'first');
      assert.deepEqual(await readdir(folder), ['key']);
    });

    it(`creates a file once for many callers on file systems ${where}`, async () => {
      const path = join(folder, 'key');
      const contents = Array.from({ length: 20 }, (_, n) => String(n).repeat(1000));
      const results = await Promise.allSettled(
        contents.map((content) => createPrivateFile(path, content, ...options)),
      );
      const [winner, ...others] = contents.filter((_, n) => results[n]?.status === 'fulfilled');
      assert.deepEqual(others, []);
      assert.equal(await readFile(path, 'utf8'), winner);
      assert.deepEqual(await readdir(folder), ['key']);
    });
  }
});
