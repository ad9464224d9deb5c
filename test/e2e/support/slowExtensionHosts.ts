import { slowdown } from '../../support/slowdown';
import { withDescendants } from './descendants';

const runMs = 200;
const hostKind = '--type=extensionHost';

/**
 * If requested, slows down the extension hosts of a server by pausing them most of the time, as on
 * a busy computer. Has no effect on Windows, where processes can't be paused.
 *
 * @returns a function that restores their speed
 */
export function slowExtensionHosts(serverPid: number): () => void {
  const rate = slowdown();
  if (rate <= 1) return () => undefined;
  let stopped: readonly number[] = [];
  const signal = (pids: readonly number[], name: 'SIGSTOP' | 'SIGCONT'): void => {
    for (const pid of pids) {
      try {
        process.kill(pid, name);
      } catch {
        // The process has exited, for example because its window was reloaded.
      }
    }
  };
  const run = (): void => {
    signal(stopped, 'SIGCONT');
    timer = setTimeout(stop, runMs);
  };
  const stop = (): void => {
    const hosts = withDescendants(serverPid).filter(({ command }) => command.includes(hostKind));
    stopped = hosts.map(({ pid }) => pid);
    signal(stopped, 'SIGSTOP');
    timer = setTimeout(run, runMs * (rate - 1));
  };
  let timer = setTimeout(stop, runMs);
  return () => {
    clearTimeout(timer);
    signal(stopped, 'SIGCONT');
  };
}
