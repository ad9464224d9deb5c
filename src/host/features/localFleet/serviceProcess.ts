import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { isRunning } from '../../../processes/isRunning';

const FILE_NAME = 'service.json';
const POLL_MS = 50;

/** State file that the service writes to its data directory. */
interface ServiceProcess {
  readonly pid: number;
  /**
   * True if clients can call the service: it is neither starting nor stopping, and hasn't crashed.
   */
  readonly isServing: boolean;
  /** True if the service was started with permission to run training scripts. */
  readonly allowsScripts: boolean;
}

/** Returns the service process for a data directory. The process might have crashed. */
export async function readServiceProcess(
  dataDirectory: string,
): Promise<ServiceProcess | undefined> {
  const { pid, url, allowsScripts } = await readObject(join(dataDirectory, FILE_NAME));
  if (typeof pid !== 'number') return undefined;
  const isServing = typeof url === 'string' && isRunning(pid);
  return { pid, isServing, allowsScripts: allowsScripts === true };
}

/** Reads a JSON file; empty if it doesn't exist or can't be parsed. */
export async function readObject(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const read: unknown = JSON.parse(await readFile(file, 'utf8'));
    return typeof read === 'object' && read !== null ? { ...read } : {};
  } catch {
    return {};
  }
}

/** Requests that a process exit. Ignores a process that has already exited. */
export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // The process has already exited.
  }
}

/**
 * Waits until a process has exited.
 * @returns true if it has exited within this number of milliseconds
 */
export async function processEnd(pid: number, milliseconds: number): Promise<boolean> {
  const since = performance.now();
  while (isRunning(pid)) {
    if (performance.now() - since > milliseconds) return false;
    await setTimeoutPromise(POLL_MS);
  }
  return true;
}

/**
 * Returns the log file of a data directory's service, which contains messages only from the last
 * start onward.
 */
export function getLogFile(dataDirectory: string): string {
  return join(dataDirectory, 'service.log');
}
