import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { endProcess, processEnd } from '../../../../../src/host/features/localFleet/serviceProcess';
import { isRunning } from '../../../../../src/processes/isRunning';

const LONG = 20_000;

describe('the process of the local fleet', () => {
  it('receives a signal to stop', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(child, 'spawn');
    const pid = child.pid ?? 0;
    assert.equal(isRunning(pid), true);
    endProcess(pid);
    assert.equal(await processEnd(pid, LONG), true);
    assert.equal(isRunning(pid), false);
  });

  it('can already have exited', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    endProcess(pid);
    assert.equal(await processEnd(pid, LONG), true);
  });

  it('is awaited up to a time limit', async () => {
    assert.equal(await processEnd(process.pid, 1), false);
  });
});
