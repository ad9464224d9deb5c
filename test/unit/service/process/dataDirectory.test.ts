import assert from 'node:assert/strict';
import { join } from 'node:path';
import { defaultDataDirectory } from '../../../../src/service/process/dataDirectory';

describe('the default data directory', () => {
  const home = '/home/ada';

  it('follows the platform', () => {
    assert.equal(
      defaultDataDirectory('linux', {}, home),
      join(home, '.local', 'share', 'fleetwright'),
    );
    assert.equal(
      defaultDataDirectory('darwin', {}, home),
      join(home, 'Library', 'Application Support', 'fleetwright'),
    );
    assert.equal(
      defaultDataDirectory('win32', { LOCALAPPDATA: '/local' }, home),
      join('/local', 'fleetwright'),
    );
  });

  it('takes XDG_DATA_HOME when it is absolute', () => {
    assert.equal(
      defaultDataDirectory('linux', { XDG_DATA_HOME: '/data' }, home),
      join('/data', 'fleetwright'),
    );
    assert.equal(
      defaultDataDirectory('linux', { XDG_DATA_HOME: 'data' }, home),
      join(home, '.local', 'share', 'fleetwright'),
    );
  });
});
