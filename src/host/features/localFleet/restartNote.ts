import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { isRunning } from '../../platform/isRunning';
import { readObject } from './serviceProcess';

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

  /**
   * Does work that ends the service and starts it again, with the note there for as long.
   *
   * @returns nothing when another window was about it, and is through by now: two would end what the other
   * starts
   */
  async during<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (!(await this.take())) {
      await this.isGone();
      return undefined;
    }
    try {
      return await work();
    } finally {
      await rm(this.file, { force: true }).catch(() => undefined);
    }
  }

  /** @returns false when the note of another window is there. */
  private async take(): Promise<boolean> {
    const note = JSON.stringify({ pid: process.pid });
    try {
      // Only one of all that create it at the same time succeeds.
      await writeFile(this.file, note, { flag: 'wx' });
    } catch {
      if (await this.isThere()) return false;
      // Without the note the others say that the service has stopped: no reason not to restart it.
      await writeFile(this.file, note).catch(() => undefined);
    }
    return true;
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
