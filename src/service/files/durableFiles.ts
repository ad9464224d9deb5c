import { createHash } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

const OWNER_ONLY_DIRECTORY = 0o700;
const OWNER_ONLY_FILE = 0o600;
const CHUNK_BYTES = 1024 * 1024;

/**
 * Makes the file names in a directory durable, so that they survive a power failure. Windows does
 * this automatically.
 */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform !== 'win32') {
    await using directory = await open(path);
    await directory.sync();
  }
}

/**
 * Creates a directory that only its owner can access, and its parents if necessary. The created
 * directories survive a power failure.
 */
export async function makeDirectoryDurably(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: OWNER_ONLY_DIRECTORY });
  if (first === undefined) return;
  const top = dirname(resolve(first));
  for (let parent = dirname(resolve(path)); ; parent = dirname(parent)) {
    await syncDirectory(parent);
    if (parent === top || parent === dirname(parent)) return;
  }
}

/**
 * Directory that is filled with copies of files. After `sync`, all copies survive a power failure.
 */
export class DurableCopies {
  private readonly root: string;
  private readonly directories: Set<string>;

  constructor(root: string) {
    this.root = resolve(root);
    this.directories = new Set([this.root]);
  }

  /**
   * Copies a file to a path in the directory. Creates folders if necessary.
   * @returns the hexadecimal SHA-256 hash of the bytes.
   * @throws `ENOENT` if the file doesn't exist; in this case, nothing is created.
   */
  async copy(source: string, target: string): Promise<string> {
    const hash = createHash('sha256');
    await using input = await open(source);
    await mkdir(dirname(target), { recursive: true, mode: OWNER_ONLY_DIRECTORY });
    for (let folder = dirname(resolve(target)); folder !== this.root; folder = dirname(folder)) {
      this.directories.add(folder);
    }
    await using output = await open(target, 'wx', OWNER_ONLY_FILE);
    const stream = input.createReadStream({ autoClose: false, highWaterMark: CHUNK_BYTES });
    for await (const chunk of stream) {
      hash.update(chunk as Buffer);
      await output.appendFile(chunk as Buffer);
    }
    await output.sync();
    return hash.digest('hex');
  }

  /**
   * Makes the names of all copies durable, and of all other entries directly inside the directory.
   */
  async sync(): Promise<void> {
    for (const directory of this.directories) await syncDirectory(directory);
  }
}
