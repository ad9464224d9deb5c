import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { systemErrorCode } from './commandError';

const OWNER_ONLY = 0o600;

/** As `writePrivateFile`, for the JSON form of a value. */
export async function writePrivateJson(path: string, value: unknown): Promise<void> {
  await writePrivateFile(path, `${JSON.stringify(value, undefined, 2)}\n`);
}

/** Replaces a file as a whole, so that readers see the old or the new one; only its owner reads. */
export async function writePrivateFile(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, content, { mode: OWNER_ONLY, flag: 'wx', flush: true });
    await rename(temporary, path);
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
