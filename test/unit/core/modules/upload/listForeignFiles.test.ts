import assert from 'node:assert/strict';
import { listForeignFiles } from '../../../../../src/core/modules/upload/uploadBuilds';

const file = (platform: string) => ({ platform, uploadedAt: undefined });
const version = (of: string, ...platforms: readonly string[]) => ({
  version: of,
  createdAt: undefined,
  files: platforms.map(file),
});

describe('archives of the same version by other users', () => {
  const known = [version('1.0.0', 'any')];

  it('are those that were not uploaded here, for a new version', () => {
    const now = [version('1.0.1', 'linux/amd64', 'linux/arm64'), ...known];
    assert.deepEqual(listForeignFiles('1.0.1', known, now, ['linux/arm64']), [file('linux/amd64')]);
    assert.deepEqual(listForeignFiles('1.0.1', known, now, ['linux/arm64', 'linux/amd64']), []);
    assert.deepEqual(listForeignFiles('1.0.1', known, known, []), []);
  });

  it('are empty for a version that existed when it was selected', () => {
    assert.deepEqual(
      listForeignFiles('1.0.0', known, [version('1.0.0', 'any', 'linux/386')], []),
      [],
    );
  });
});
