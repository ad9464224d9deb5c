import { constants } from 'node:fs';
import {
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { getErrorCode } from '../../../base/errorCode';
import {
  type DownloadFolder,
  type DownloadPart,
  FolderError,
  type OpenPart,
} from '../../../core/data/download/fetchContent';

const PARTS: readonly DownloadPart[] = ['data', 'metadata'];
/**
 * `O_NOFOLLOW` prevents following links. Windows doesn't have this flag, but creating links there
 * requires administrator rights.
 */
const { O_CREAT, O_RDWR } = constants;
const O_NOFOLLOW = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW;

/**
 * Returns the user-facing message for a file system error.
 * @param code system error code, such as `ENOSPC`.
 */
export type DescribeFolderError = (code: string) => string;

/** Folder on this computer. */
export class NodeDownloadFolder implements DownloadFolder {
  private constructor(
    private readonly root: string,
    private readonly describeError: DescribeFolderError,
    /** Folders for the parts, relative to the root. */
    private readonly folders: Readonly<Record<DownloadPart, string>> = {
      data: 'data',
      metadata: 'metadata',
    },
  ) {}

  /**
   * Creates the folders for the parts.
   * @throws FolderError if this fails, or if one of the folders is a link to another location.
   */
  static async open(path: string, describeError: DescribeFolderError): Promise<NodeDownloadFolder> {
    return failing(describeError, async () => {
      await mkdir(path, { recursive: true });
      const root = await realpath(path);
      for (const part of PARTS) {
        const folder = join(root, part);
        await mkdir(folder, { recursive: true });
        if (!(await lstat(folder)).isDirectory()) throw linkError(folder);
      }
      return new NodeDownloadFolder(root, describeError);
    });
  }

  /** Opens an existing folder for individual files, which are stored directly in the folder. */
  static async plain(
    path: string,
    describeError: DescribeFolderError,
  ): Promise<NodeDownloadFolder> {
    const root = await failing(describeError, () => realpath(path));
    return new NodeDownloadFolder(root, describeError, { data: '.', metadata: '.' });
  }

  names(part: DownloadPart): Promise<readonly string[]> {
    return failing(this.describeError, () => readdir(join(this.root, this.folders[part])));
  }

  size(part: DownloadPart, name: string): Promise<number | undefined> {
    return failing(this.describeError, async () => {
      const found = await unlessMissing(lstat(this.path(part, name)));
      if (found && !found.isFile()) throw linkError(name);
      return found?.size;
    });
  }

  read(part: DownloadPart, name: string): Promise<string | undefined> {
    return failing(this.describeError, async () => {
      const path = this.path(part, name);
      const found = await unlessMissing(lstat(path));
      return found?.isFile() ? await readFile(path, 'utf8') : undefined;
    });
  }

  write(part: DownloadPart, name: string, text: string): Promise<void> {
    return failing(this.describeError, async () => {
      // Writes a temporary file and renames it. The final file is therefore never incomplete, and
      // links are not followed.
      const path = this.path(part, name);
      const temporary = `${path}.new`;
      await rm(temporary, { force: true });
      await writeFile(temporary, text, { flag: 'wx' });
      await rename(temporary, path);
    });
  }

  open(name: string, at: number): Promise<OpenPart> {
    return failing(this.describeError, async () => {
      const file = await open(this.path('data', name), O_CREAT | O_RDWR | O_NOFOLLOW);
      await file.truncate(at);
      let end = at;
      return {
        write: (bytes) =>
          failing(this.describeError, async () => {
            for (let done = 0; done < bytes.length;) {
              const { bytesWritten } = await file.write(bytes, done, bytes.length - done, end);
              done += bytesWritten;
              end += bytesWritten;
            }
          }),
        close: () => failing(this.describeError, () => file.close()),
      };
    });
  }

  rename(from: string, to: string): Promise<boolean> {
    return failing(this.describeError, async () => {
      const target = this.path('data', to);
      if (await unlessMissing(lstat(target))) return false;
      await rename(this.path('data', from), target);
      return true;
    });
  }

  remove(part: DownloadPart, name: string): Promise<void> {
    return failing(this.describeError, () => rm(this.path(part, name), { force: true }));
  }

  /**
   * Returns a file's path. Checks again that the path is inside the folder, even though the caller
   * has sanitized the name.
   */
  private path(part: DownloadPart, name: string): string {
    if (name === '' || name === '.' || name === '..' || /[\\/\0]/.test(name)) throw linkError(name);
    return join(this.root, this.folders[part], name);
  }
}

async function failing<T>(describeError: DescribeFolderError, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FolderError) throw error;
    throw new FolderError(describeError(getErrorCode(error) ?? ''), error);
  }
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function linkError(name: string): Error {
  return Object.assign(new Error(`${name} is not a regular file or folder`), { code: 'ELOOP' });
}
