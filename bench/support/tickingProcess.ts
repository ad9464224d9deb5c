import { spawn } from 'node:child_process';

/** A running Node.js process that only wakes up once a second. */
export interface TickingProcess extends Disposable {
  readonly pid: number;
}

/**
 * Starts the baseline for programs at rest. What a wakeup costs depends on the computer: from less
 * than 0.5 ms to more than 6 ms on a virtual machine whose host is busy.
 */
export function startTickingProcess(): TickingProcess {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], {
    stdio: 'ignore',
  });
  if (child.pid === undefined) throw new Error('The baseline did not start.');
  return { pid: child.pid, [Symbol.dispose]: () => void child.kill() };
}
