import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, type FileHandle, link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getErrorCode } from '../base/errorCode';
import type { ExportFile } from '../core/data/export/recordWriter';
import { isRunning } from '../processes/isRunning';

/** Number of bytes to read at a time from the written file. */
const CHUNK_BYTES = 1024 * 1024;

/** Temporary file next to the final file. It replaces the final file when it is complete. */
export class PartialFile implements ExportFile {
  private readonly temporary: string[] = [];

  private constructor(
    private readonly path: string,
    private handle: FileHandle,
    private partial: string,
  ) {
    this.temporary.push(partial);
  }

  /**
   * Creates the file, and removes incomplete files that exited processes left in the same folder.
   * @throws file system errors.
   */
  static async create(path: string): Promise<PartialFile> {
    await sweep(dirname(path));
    const partial = toPartialPath(path);
    return new PartialFile(path, await open(partial, 'wx+'), partial);
  }

  async write(bytes: Uint8Array): Promise<void> {
    await writeAll(this.handle, bytes);
  }

  async rewrite(
    from: number,
    change: (content: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const partial = toPartialPath(this.path);
    const changed = await open(partial, 'wx+');
    this.temporary.push(partial);
    try {
      for await (const bytes of change(readChunks(this.handle, from))) {
        await writeAll(changed, bytes);
      }
    } catch (error) {
      await changed.close();
      throw error;
    }
    await this.handle.close();
    await rm(this.partial);
    this.handle = changed;
    this.partial = partial;
  }

  /** Renames the file to its final name, replacing any existing file. */
  async finish(): Promise<void> {
    await this.handle.close();
    await rename(this.partial, this.path);
  }

  /**
   * Gives the file its final name, and never replaces an existing file.
   * @throws FileExistsError if there is a file, a folder, or a link with this name
   */
  async finishNew(): Promise<void> {
    await this.handle.close();
    try {
      // Not all file systems have hard links.
      await link(this.partial, this.path).catch(async (error: unknown) => {
        if (getErrorCode(error) === 'EEXIST') throw error;
        await copyFile(this.partial, this.path, constants.COPYFILE_EXCL);
      });
    } catch (cause) {
      throw getErrorCode(cause) === 'EEXIST' ? new FileExistsError(this.path, { cause }) : cause;
    }
    await rm(this.partial);
  }

  /** Deletes the temporary file. Leaves an existing final file unchanged. */
  async discard(): Promise<void> {
    await this.handle.close().catch(() => undefined);
    for (const path of this.temporary) await rm(path, { force: true });
  }
}

/** Error thrown when a new file would replace an existing one. */
export class FileExistsError extends Error {
  override readonly name = 'FileExistsError';

  constructor(path: string, options: ErrorOptions) {
    super(`${path} already exists`, options);
  }
}

/**
 * Returns the path of the temporary file. The path contains the ID of the writing process, which
 * helps detect abandoned files.
 */
function toPartialPath(path: string): string {
  return `${path}.${process.pid}-${randomUUID()}.part`;
}

/**
 * Age in milliseconds after which a file is considered abandoned. An active process writes at least
 * every minute. The IDs of processes on other computers can't be checked.
 */
const LEFT_AFTER_MS = 10 * 60_000;
const PARTIAL = /\.(\d+)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/;

async function sweep(folder: string): Promise<void> {
  // Errors are ignored, because a leftover file is harmless.
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const [, writer] = PARTIAL.exec(name) ?? [];
    if (writer === undefined || isRunning(Number(writer))) continue;
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > LEFT_AFTER_MS) {
      await rm(path, { force: true }).catch(() => undefined);
    }
  }
}

/** Writes all bytes, because a single write might write only some of them. */
async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, done);
    done += bytesWritten;
  }
}

async function* readChunks(handle: FileHandle, from: number): AsyncGenerator<Uint8Array> {
  for (let at = from; ;) {
    const chunk = new Uint8Array(CHUNK_BYTES);
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, at);
    if (bytesRead === 0) return;
    yield chunk.subarray(0, bytesRead);
    at += bytesRead;
  }
}
