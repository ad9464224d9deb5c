import assert from 'node:assert/strict';
import { toEntrypointCommand } from '../../../src/moduleRun/supervisor';

describe('toEntrypointCommand', () => {
  it('starts a program in its own process group', () => {
    assert.deepEqual(toEntrypointCommand('/m/run.sh', '/run/module.sock', 'linux'), {
      program: '/m/run.sh',
      args: ['/run/module.sock'],
      options: { detached: true },
    });
  });

  it('starts a program as a child on Windows, which has no process groups', () => {
    const path = String.raw`C:\my modules\weather.exe`;
    assert.deepEqual(toEntrypointCommand(path, '127.0.0.1:4000', 'win32'), {
      program: path,
      args: ['127.0.0.1:4000'],
      options: { detached: false },
    });
  });

  it('starts batch files in the command interpreter on Windows', () => {
    for (const name of ['run.bat', 'RUN.CMD']) {
      const path = String.raw`C:\my modules` + `\\${name}`;
      assert.deepEqual(toEntrypointCommand(path, '127.0.0.1:4000', 'win32'), {
        program: 'cmd.exe',
        args: ['/d', '/s', '/c', `""${path}" 127.0.0.1:4000"`],
        options: { detached: false, windowsVerbatimArguments: true },
      });
    }
  });
});
