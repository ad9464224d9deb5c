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

  it('takes XDG_DATA_HOME when it is absolute', () => {
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

describe('making the data directory', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-data-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('makes what is missing, and takes what is there', () => {
    const path = join(folder, 'a', 'b');
    assert.equal(makeDataDirectory(path), path);
    assert.equal(makeDataDirectory(path), path);
    assert.ok(statSync(path).isDirectory());
  });

  it('says what to do when a file is in the way', () => {
    writeFileSync(join(folder, 'file'), '');
    for (const path of [join(folder, 'file'), join(folder, 'file', 'inside')]) {
      assert.throws(() => makeDataDirectory(path), /use another directory with --data DIR/);
    }
  });

  if (process.platform === 'linux') {
    it('comes back where a parent exists and takes no children', () => {
      assert.throws(() => makeDataDirectory('/proc/fleetwright/data'), /can't write/);
    });
  }
});
