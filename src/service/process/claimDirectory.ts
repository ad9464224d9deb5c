import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from './commandError';
import { explainingFailures } from './dataDirectory';
import { DirectoryLock } from './directoryLock';
import { readServiceFile } from './serviceFile';
import { findRunningService, type RunningService } from './serviceIdentity';

export type Claim =
  | { kind: 'owned'; lock: DirectoryLock }
  | { kind: 'running'; service: RunningService };

/**
 * Timeout in milliseconds. It is longer than a service needs to stop, or to start with a large
 * store.
 */
const PATIENCE_MS = 15_000;
const RETRY_MS = 100;

/**
 * Claims a data directory for this process, or finds the service that uses it. If the service is
 * starting or stopping, waits until it has finished, so that the result is reliable.
 * @throws CommandError if the directory isn't writable or the process that uses it doesn't respond.
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
        pid === undefined
          ? `the data directory ${directory} is in use by a process that doesn't respond; ` +
              'stop it or use another directory with --data DIR'
          : `the data directory ${directory} is in use by process ${pid}, which doesn't respond; ` +
              'stop it or use another directory with --data DIR',
      );
    }
    await sleep(RETRY_MS);
  }
}

/** Returns the error for a directory that another service uses. */
export function directoryInUse(directory: string, { pid, url }: RunningService): CommandError {
  return new CommandError(
    `the data directory ${directory} is in use by process ${pid} at ${url}; ` +
      'use that service, stop it, or use another directory with --data DIR',
  );
}
