import assert from 'node:assert/strict';
import {
  getInterpreterNames,
  probeEnvironment,
} from '../../../../../src/service/training/custom/scriptEnvironment';
import { signalGroup } from '../../../../../src/service/training/custom/scriptProcesses';

describe('training scripts on Windows', () => {
  it('find Python under the names of its Windows installer', () => {
    assert.deepEqual(getInterpreterNames('win32'), ['python3', 'python', 'py']);
    assert.deepEqual(getInterpreterNames('darwin'), ['python3']);
  });

  it('provide Python with the packages of a user, but no secrets', () => {
    const environment = { APPDATA: 'C:\\a', USERPROFILE: 'C:\\u', PATH: 'C:\\p', TOKEN: 'secret' };
    const { APPDATA, USERPROFILE, PATH, TOKEN } = probeEnvironment(environment);
    assert.deepEqual([APPDATA, USERPROFILE, PATH, TOKEN], ['C:\\a', 'C:\\u', 'C:\\p', undefined]);
  });

  it('end with all processes that they started, through taskkill', async () => {
    const commands: (readonly string[])[] = [];
    await signalGroup(4711, 'SIGTERM', {
      platform: 'win32',
      run: (program, args) => Promise.resolve(commands.push([program, ...args])),
    });
    assert.deepEqual(commands, [['taskkill', '/pid', '4711', '/T', '/F']]);
  });
});
