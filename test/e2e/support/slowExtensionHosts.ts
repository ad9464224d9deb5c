import { slowdown } from '../../support/slowdown';
import { withDescendants } from './descendants';

const runMs = 200;
const hostKind = '--type=extensionHost';

/**
 * Makes the extension hosts of a server slow, if they are to be: they stand still for most of the time,
 * as on a machine with other work to do. Not on Windows, which cannot stop processes.
 *
 * @returns a function that makes them fast again
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
        // It has ended, as a window that is loaded again ends it.
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
