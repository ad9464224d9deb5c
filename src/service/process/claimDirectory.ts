import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from './commandError';
import { explainingFailures } from './dataDirectory';
import { DirectoryLock } from './directoryLock';
import { readServiceFile } from './serviceFile';
import { findRunningService, type RunningService } from './serviceIdentity';

export type Claim =
  | { kind: 'owned'; lock: DirectoryLock }
  | { kind: 'running'; service: RunningService };

/** Longer than a service takes to stop, and to start over a large store. */
const PATIENCE_MS = 15_000;
const RETRY_MS = 100;

/**
 * Takes a data directory for this process, or finds the service that has it. Waits while that
 * service is starting or stopping, so that both answers are good.
 * @throws CommandError when the directory cannot be written, and when its owner does not answer.
 */
export async function claimDirectory(directory: string, patienceMs = PATIENCE_MS): Promise<Claim> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const lock = explainingFailures(directory, () => DirectoryLock.tryAcquire(directory));
    if (lock !== undefined) {
      return { kind: 'owned', lock };
    }
    const service = await findRunningService(directory);
    if (service !== undefined) {
      return { kind: 'running', service };
    }
    if (performance.now() > end) {
      const pid = (await readServiceFile(directory))?.pid;
      throw new CommandError(
        `the data directory ${directory} is in use by process ${pid ?? 'unknown'}, which doesn't ` +
          'respond; stop it or use another directory with --data DIR',
      );
    }
    await sleep(RETRY_MS);
  }
}

/** What to tell anyone who wanted the directory that another service has. */
export function directoryInUse(directory: string, { pid, url }: RunningService): CommandError {
  return new CommandError(
    `the data directory ${directory} is in use by process ${pid} at ${url}; ` +
      'use that service, stop it, or use another directory with --data DIR',
  );
}
