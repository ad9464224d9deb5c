import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  groupBytes,
  signalGroup,
} from '../../../../../src/service/training/custom/scriptProcesses';
import { describeWithPython } from '../../../../support/withPython';

const MIB = 1024 ** 2;

/**
 * Script that uses 100 MiB of memory and shares it with three forks, like programs that load data
 * in multiple processes.
 */
const FORKS = `
import os, signal
held = bytearray(100 << 20)
if all(os.fork() for _ in range(3)):
    print('started', flush=True)
signal.pause()
`;

describeWithPython('the processes of a training script', function () {
  this.timeout(120_000);

  it('groupBytes counts shared memory once', async function () {
    // Other systems don't report shared memory.
    if (process.platform !== 'linux') this.skip();
    const child = spawn('python3', ['-c', FORKS], {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    const { pid } = child;
    assert.ok(pid !== undefined);
    try {
      await once(child.stdout, 'data');
      const usedBytes = (await groupBytes(pid)) ?? 0;
      assert.ok(usedBytes > 100 * MIB && usedBytes < 200 * MIB, String(usedBytes / MIB));
    } finally {
      await signalGroup(pid, 'SIGKILL');
    }
    await once(child, 'close');
  });
});
