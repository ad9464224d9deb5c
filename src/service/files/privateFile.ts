import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { getErrorCode } from '../../base/errorCode';

const OWNER_ONLY = 0o600;

/** Like `writePrivateFile`, but serializes a value as JSON. */
export async function writePrivateJson(path: string, value: unknown): Promise<void> {
  await writePrivateFile(path, `${JSON.stringify(value, undefined, 2)}\n`);
}

/**
 * Replaces a file atomically, so that readers see either the old or the new content. Only the
 * file's owner can read it.
 */
export async function writePrivateFile(path: string, content: string | Uint8Array): Promise<void> {
  await writeViaTemporaryFile(path, content, (temporary) => rename(temporary, path));
}

/**
 * Creates a file atomically, so that readers never see partial content. Only the file's owner can
 * read it. On file systems without hard links, such as FAT and some network mounts, a crash can
 * leave an empty file.
 * @param makeLink creates a hard link.
 * @throws `EEXIST` if the file already exists, without modifying it.
 */
export async function createPrivateFile(
  path: string,
  content: string,
  makeLink: typeof link = link,
): Promise<void> {
  await writeViaTemporaryFile(path, content, async (temporary) => {
    try {
      await makeLink(temporary, path);
    } catch (error) {
      if (getErrorCode(error) === 'EEXIST') throw error;
      await reserveAndReplace(temporary, path);
      return;
    }
    await rm(temporary);
  });
}

/**
 * Reserves a file name by creating an empty file, which only one process can do. Then replaces the
 * empty file.
 */
async function reserveAndReplace(temporary: string, path: string): Promise<void> {
  await writeFile(path, '', { mode: OWNER_ONLY, flag: 'wx' });
  try {
    await rename(temporary, path);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** Writes a temporary file and removes it if it can't be renamed. */
async function writeViaTemporaryFile(
  path: string,
  content: string | Uint8Array,
  publish: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, content, { mode: OWNER_ONLY, flag: 'wx', flush: true });
    await publish(temporary);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Returns the fields in a file's JSON object; undefined if the file doesn't exist or doesn't
 * contain a JSON object.
 */
export async function readJsonObject(
  path: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || getErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
