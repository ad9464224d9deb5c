import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import type { ExportFile } from '../../core/data/export/exportFile';

/** How much is read at once of what was written. */
const PIECE_BYTES = 1024 * 1024;

/** A file that is written beside the one it will be, and takes its place when all is in it. */
export class PartialFile implements ExportFile {
  private readonly temporary: string[] = [];

  private constructor(
    private readonly path: string,
    private handle: FileHandle,
    private partial: string,
  ) {
    this.temporary.push(partial);
  }

  /** @throws what the file system says. */
  static async create(path: string): Promise<PartialFile> {
    const partial = partialOf(path);
    return new PartialFile(path, await open(partial, 'wx+'), partial);
  }

  async write(bytes: Uint8Array): Promise<void> {
    await writeAll(this.handle, bytes);
  }

  async rewrite(
    from: number,
    change: (content: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const partial = partialOf(this.path);
    const changed = await open(partial, 'wx+');
    this.temporary.push(partial);
    try {
      for await (const bytes of change(piecesOf(this.handle, from))) await writeAll(changed, bytes);
    } catch (error) {
      await changed.close();
      throw error;
    }
    await this.handle.close();
    await rm(this.partial);
    this.handle = changed;
    this.partial = partial;
  }

  /** Gives the file its name. What had it before is gone. */
  async finish(): Promise<void> {
    await this.handle.close();
    await rename(this.partial, this.path);
  }

  /** Leaves nothing behind but what was there before. */
  async discard(): Promise<void> {
    await this.handle.close().catch(() => undefined);
    for (const path of this.temporary) await rm(path, { force: true });
  }
}

function partialOf(path: string): string {
  return `${path}.${randomUUID()}.part`;
}

/** A write may take in less than it is given. */
async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, done);
    done += bytesWritten;
  }
}

async function* piecesOf(handle: FileHandle, from: number): AsyncGenerator<Uint8Array> {
  for (let at = from; ;) {
    const piece = new Uint8Array(PIECE_BYTES);
    const { bytesRead } = await handle.read(piece, 0, PIECE_BYTES, at);
    if (bytesRead === 0) return;
    yield piece.subarray(0, bytesRead);
    at += bytesRead;
  }
}
