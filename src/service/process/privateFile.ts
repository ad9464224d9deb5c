import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { systemErrorCode } from './commandError';

const OWNER_ONLY = 0o600;

/** As `writePrivateFile`, for the JSON form of a value. */
export async function writePrivateJson(path: string, value: unknown): Promise<void> {
  await writePrivateFile(path, `${JSON.stringify(value, undefined, 2)}\n`);
}

/** Replaces a file as a whole, so that readers see the old or the new one; only its owner reads. */
export async function writePrivateFile(path: string, content: string | Uint8Array): Promise<void> {
  await writeBeside(path, content, (temporary) => rename(temporary, path));
}

/**
 * Creates a file as a whole: a crash or a full disk leaves no part of it. Only its owner reads.
 * @throws `EEXIST` when there is one already, which is not affected.
 */
export async function createPrivateFile(path: string, content: string): Promise<void> {
  await writeBeside(path, content, async (temporary) => {
    await link(temporary, path);
    await rm(temporary);
  });
}

/** Writes a temporary file, and removes it when it does not get its name. */
async function writeBeside(
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

/** The fields of a JSON object file; undefined when there is none or it holds something else. */
export async function readJsonObject(
  path: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || systemErrorCode(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}
