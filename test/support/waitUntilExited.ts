import { spawnSync } from 'node:child_process';
import { waitUntil } from './waitUntil';

/** Waits until a process has exited. A zombie process counts as exited. */
export function waitUntilExited(pid: number): Promise<void> {
  return waitUntil(() => !isRunning(pid), {
    describeState: () => `process ${String(pid)} has exited`,
    pollMs: 20,
  });
}

function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return !/^(Z|$)/.test(stdout.trim());
}
