import assert from 'node:assert/strict';
import { getShell } from '../../../src/builds/runCommand';
import { signalGroup, signalTree } from '../../../src/builds/signalTree';

describe('builds on Windows', () => {
  it('end with all processes that they started, through taskkill', () => {
    const commands: (readonly string[])[] = [];
    signalTree(4711, 'SIGTERM', {
      platform: 'win32',
      run: (program, args) => void commands.push([program, ...args]),
    });
    assert.deepEqual(commands, [['taskkill', '/pid', '4711', '/T', '/F']]);
  });

  it('end as the leader of a group with all processes that it started, through taskkill', () => {
    const commands: (readonly string[])[] = [];
    signalGroup(4711, 'SIGKILL', {
      platform: 'win32',
      run: (program, args) => void commands.push([program, ...args]),
    });
    assert.deepEqual(commands, [['taskkill', '/pid', '4711', '/T', '/F']]);
  });

  it('run in cmd.exe', () => {
    assert.equal(getShell('win32'), 'cmd.exe');
    assert.equal(getShell('darwin'), 'bash');
  });
});
