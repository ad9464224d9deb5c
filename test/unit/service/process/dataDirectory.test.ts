import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  getDefaultDataDirectory,
  makeDataDirectory,
} from '../../../../src/service/process/dataDirectory';

describe('the default data directory', () => {
  const home = '/home/ada';

  it('follows the platform', () => {
    assert.equal(
      getDefaultDataDirectory('linux', {}, home),
      join(home, '.local', 'share', 'fleetwright'),
    );
    assert.equal(
      getDefaultDataDirectory('darwin', {}, home),
      join(home, 'Library', 'Application Support', 'fleetwright'),
    );
    assert.equal(
      getDefaultDataDirectory('win32', { LOCALAPPDATA: '/local' }, home),
      join('/local', 'fleetwright'),
    );
  });

  it('uses XDG_DATA_HOME if it is absolute', () => {
    assert.equal(
      getDefaultDataDirectory('linux', { XDG_DATA_HOME: '/data' }, home),
      join('/data', 'fleetwright'),
    );
    assert.equal(
      getDefaultDataDirectory('linux', { XDG_DATA_HOME: 'data' }, home),
      join(home, '.local', 'share', 'fleetwright'),
    );
  });
});

describe('makeDataDirectory', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-data-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('creates missing folders, and accepts existing ones', () => {
    const path = join(folder, 'a', 'b');
    assert.equal(makeDataDirectory(path), path);
    assert.equal(makeDataDirectory(path), path);
    assert.ok(statSync(path).isDirectory());
  });

  it('explains what to do when a file is in the way', () => {
    writeFileSync(join(folder, 'file'), '');
    for (const path of [join(folder, 'file'), join(folder, 'file', 'inside')]) {
      assert.throws(() => makeDataDirectory(path), /use another directory with --data DIR/);
    }
  });

  if (process.platform === 'linux') {
    it('fails if a parent exists but accepts no children', () => {
      assert.throws(() => makeDataDirectory('/proc/fleetwright/data'), /can't write/);
    });
  }
});
