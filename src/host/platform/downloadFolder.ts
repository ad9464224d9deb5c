import {
  access,
  type FileHandle,
  mkdir,
  open,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentMark } from '../../core/api/contentStream';
import type { ContentFolder, UnfinishedContent } from '../../core/data/download/contentFolder';

/** Beside a file in the making: which version of the content is in it. */
const VERSION = '.version';
const PARTIAL = '.part';

/** A folder of this machine that contents are downloaded to. */
export class DownloadFolder implements ContentFolder {
  private constructor(private readonly path: string) {}

  /** Makes the folder where there is none. @throws what the file system says. */
  static async at(path: string): Promise<DownloadFolder> {
    await mkdir(path, { recursive: true });
    return new DownloadFolder(path);
  }

  async has(name: string): Promise<boolean> {
    return access(join(this.path, name)).then(
      () => true,
      () => false,
    );
  }

  open(name: string): Promise<UnfinishedContent> {
    return UnfinishedFile.open(join(this.path, name));
  }
}

class UnfinishedFile implements UnfinishedContent {
  private isWorthKeeping = false;

  private constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
    readonly mark: ContentMark | undefined,
  ) {}

  static async open(path: string): Promise<UnfinishedFile> {
    // To add to what is there, and to read how much that is.
    const handle = await open(path + PARTIAL, 'a+');
    const version = await readFile(path + VERSION, 'utf8').catch(() => undefined);
    const { size: start } = await handle.stat();
    const mark = version === undefined || start === 0 ? undefined : { start, version };
    return new UnfinishedFile(path, handle, mark);
  }

  async begin(start: number, version: string | undefined): Promise<void> {
    await this.handle.truncate(start);
    this.isWorthKeeping = version !== undefined;
    if (version === undefined) await rm(this.path + VERSION, { force: true });
    else await writeFile(this.path + VERSION, version);
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.handle.appendFile(bytes);
  }

  async finish(): Promise<void> {
    await this.handle.close();
    await rename(this.path + PARTIAL, this.path);
    await rm(this.path + VERSION, { force: true });
  }

  async leave(): Promise<void> {
    await this.handle.close();
    if (this.isWorthKeeping || this.mark) return;
    await rm(this.path + PARTIAL, { force: true });
    await rm(this.path + VERSION, { force: true });
  }
}
