import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { isRunning } from '../../platform/isRunning';

const FILE_NAME = 'service.json';
const POLL_MS = 50;

/** What the service says of itself in its data directory. */
interface ServiceProcess {
  readonly pid: number;
  /** Whether clients can call it: it is neither starting nor stopping, and has not crashed. */
  readonly isServing: boolean;
  /** Whether it was started as one that runs training scripts. */
  readonly allowsScripts: boolean;
}

/** The process that the service of a data directory has, or had when it crashed. */
export async function readServiceProcess(
  dataDirectory: string,
): Promise<ServiceProcess | undefined> {
  const { pid, url, allowsScripts } = await readObject(join(dataDirectory, FILE_NAME));
  if (typeof pid !== 'number') return undefined;
  const isServing = typeof url === 'string' && isRunning(pid);
  return { pid, isServing, allowsScripts: allowsScripts === true };
}

/** What a JSON file holds; nothing where there is none that can be read. */
export async function readObject(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const read: unknown = JSON.parse(await readFile(file, 'utf8'));
    return typeof read === 'object' && read !== null ? { ...read } : {};
  } catch {
    return {};
  }
}

/** Asks a process to end; one that is gone already has. */
export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // It is gone.
  }
}

/** Waits until a process has ended. @returns whether it has within so many milliseconds */
export async function processEnd(pid: number, milliseconds: number): Promise<boolean> {
  const since = performance.now();
  while (isRunning(pid)) {
    if (performance.now() - since > milliseconds) return false;
    await setTimeoutPromise(POLL_MS);
  }
  return true;
}
