import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { isRunning } from '../../platform/isRunning';
import { readObject } from './serviceProcess';

const FILE_NAME = 'restart.json';
const POLL_MS = 100;
/** Longer than a service takes to stop and start again. */
const MAX_AGE_MS = 90_000;

/**
 * Marker file next to the service's data with which a window that restarts the service tells the
 * others to wait for it.
 */
export class RestartNote {
  constructor(private readonly dataDirectory: () => string) {}

  private get file(): string {
    return join(this.dataDirectory(), FILE_NAME);
  }

  /**
   * Runs work that stops the service and starts it again, with the marker file present.
   *
   * @returns undefined if another window did so at the same time and has finished: otherwise each
   *   would stop the service that the other starts
   */
  async during<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (!(await this.take())) {
      await this.waitUntilRemoved();
      return undefined;
    }
    try {
      return await work();
    } finally {
      await rm(this.file, { force: true }).catch(() => undefined);
    }
  }

  /** @returns false if the marker of another window exists. */
  private async take(): Promise<boolean> {
    const note = JSON.stringify({ pid: process.pid });
    try {
      // Only one of all windows that create it at the same time succeeds.
      await writeFile(this.file, note, { flag: 'wx' });
    } catch {
      if (await this.isThere()) return false;
      // Without the marker, other windows report that the service has stopped: no reason not to
      // restart it.
      await writeFile(this.file, note).catch(() => undefined);
    }
    return true;
  }

  /**
   * Returns true if a window is currently restarting the service. Ignores the marker of a window
   * that no longer exists.
   */
  async isThere(): Promise<boolean> {
    const { pid } = await readObject(this.file);
    if (typeof pid !== 'number' || !isRunning(pid)) return false;
    const written = await stat(this.file).catch(() => undefined);
    return written !== undefined && Date.now() - written.mtimeMs < MAX_AGE_MS;
  }

  /** Resolves when no window is restarting the service. */
  async waitUntilRemoved(): Promise<void> {
    while (await this.isThere()) await setTimeoutPromise(POLL_MS);
  }
}
