import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { englishLocalizer, type Localizer } from '../base/localizer';
import { FleetError } from '../core/api/errors';
import type { Spool, SpoolFactory } from '../core/query/results/rowStore';

/** Only the owner has access, because the files contain user data. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/**
 * Temporary files in a folder that all windows share. A file is unlinked as soon as it is open.
 * Other programs then can't find it, and its space is freed regardless of how the process exits. An
 * open file that can't be unlinked is deleted on disposal or by a sweep.
 */
export class SpoolFolder implements SpoolFactory {
  /**
   * @param failedText returns the message for a file that can't be written or read, based on the
   *   system's reason
   */
  constructor(
    private readonly folder: string,
    private readonly failedText: (reason: string) => string,
    readonly l10n: Localizer = englishLocalizer,
  ) {}

  /** Deletes files that processes left behind when they exited. Files in use are not affected. */
  async sweep(): Promise<void> {
    const names = await readdir(this.folder).catch(() => []);
    await Promise.all(names.map((name) => removed(join(this.folder, name))));
  }

  async create(): Promise<Spool> {
    return this.translateErrors(async () => {
      await mkdir(this.folder, { recursive: true, mode: FOLDER_MODE });
      const path = join(this.folder, randomUUID());
      const handle = await open(path, 'wx+', FILE_MODE);
      await removed(path);
      return new SpoolFile(path, handle, (work) => this.translateErrors(work), this.l10n);
    });
  }

  private async translateErrors<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new FleetError('unavailable', this.failedText(reason), { cause: error });
    }
  }
}

class SpoolFile implements Spool {
  private end = 0;

  constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
    private readonly saying: <T>(work: () => Promise<T>) => Promise<T>,
    private readonly l10n: Localizer,
  ) {}

  append(bytes: Uint8Array): Promise<void> {
    return this.saying(async () => {
      for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await this.handle.write(bytes, done, undefined, this.end);
        done += bytesWritten;
        this.end += bytesWritten;
      }
    });
  }

  read(from: number, length: number): Promise<Uint8Array> {
    return this.saying(async () => {
      const bytes = new Uint8Array(length);
      for (let done = 0; done < length;) {
        const { bytesRead } = await this.handle.read(bytes, done, length - done, from + done);
        if (bytesRead === 0) throw new Error(this.l10n.t('The file ends unexpectedly.'));
        done += bytesRead;
      }
      return bytes;
    });
  }

  dispose(): void {
    void this.handle
      .close()
      .catch(() => undefined)
      .then(() => removed(this.path));
  }
}

/** Removes a file unless another process has opened it. */
async function removed(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined);
}
