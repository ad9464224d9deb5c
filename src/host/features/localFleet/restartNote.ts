import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { isRunning } from '../../platform/isRunning';
import { readObject } from './serviceProcess';

const FILE_NAME = 'restart.json';
const POLL_MS = 100;
/** Maximum age of a marker in milliseconds. A service takes less time to stop and start again. */
const MAX_AGE_MS = 90_000;

/**
 * Marker file next to the service's data. It is created by a window that restarts the service, so
 * that other windows wait for the restart.
 */
export class RestartNote {
  constructor(private readonly dataDirectory: () => string) {}

  private get file(): string {
    return join(this.dataDirectory(), FILE_NAME);
  }

  /**
   * Runs work that stops and restarts the service, while the marker file exists. If another window
   * is already doing the same work, waits for it instead; otherwise, each window would stop the
   * service that the other window started.
   *
   * @returns undefined if another window has completed the work
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

  /** @returns false if another window's marker exists. */
  private async take(): Promise<boolean> {
    const note = JSON.stringify({ pid: process.pid });
    try {
      // If windows create the file concurrently, only one of them succeeds.
      await writeFile(this.file, note, { flag: 'wx' });
    } catch {
      if (await this.isThere()) return false;
      // The restart continues even without the marker. Other windows then report that the service
      // has stopped.
      await writeFile(this.file, note).catch(() => undefined);
    }
    return true;
  }

  /**
   * Returns true if a window is currently restarting the service. Ignores a marker from a window
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
