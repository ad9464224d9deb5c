import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { isOrphaned } from '../../../../src/service/processes/processGuard';

describe('isOrphaned', () => {
  const parent = process.pid;

  it('is false while the parent runs', () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      assert.equal(isOrphaned({ parent, currentParent: parent, platform }), false, platform);
    }
  });

  it('is true after the system reports another parent', () => {
    assert.equal(isOrphaned({ parent, currentParent: 1, platform: 'linux' }), true);
  });

  it('is true on Windows, which reports the old parent, after no process has its ID', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    assert.equal(isOrphaned({ parent: pid, currentParent: pid, platform: 'win32' }), true);
  });
});
