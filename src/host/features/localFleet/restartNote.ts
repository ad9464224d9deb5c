import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { isRunning, readObject } from './serviceProcess';

const FILE_NAME = 'restart.json';
const POLL_MS = 100;
/** Longer than a service takes to end and to start again. */
const LONGEST_MS = 90_000;

/**
 * The note beside the service's data by which the window that restarts the service tells the others that
 * they need not miss it.
 */
export class RestartNote {
  constructor(private readonly dataDirectory: () => string) {}

  private get file(): string {
    return join(this.dataDirectory(), FILE_NAME);
  }

  /** Does work that ends the service and starts it again, with the note there for as long. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    // Without the note the others say that the service has stopped: no reason not to restart it.
    await writeFile(this.file, JSON.stringify({ pid: process.pid })).catch(() => undefined);
    try {
      return await work();
    } finally {
      await rm(this.file, { force: true }).catch(() => undefined);
    }
  }

  /** Whether a window restarts the service just now. What one left that is gone tells nothing. */
  async isThere(): Promise<boolean> {
    const { pid } = await readObject(this.file);
    if (typeof pid !== 'number' || !isRunning(pid)) return false;
    const written = await stat(this.file).catch(() => undefined);
    return written !== undefined && Date.now() - written.mtimeMs < LONGEST_MS;
  }

  /** Resolves when no window restarts the service any more. */
  async isGone(): Promise<void> {
    while (await this.isThere()) await setTimeoutPromise(POLL_MS);
  }
}
