import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { getErrorCode } from '../../base/errorCode';
import { CommandError } from '../files/commandError';
import { readJsonObject, writePrivateJson } from '../files/privateFile';

const MANIFEST_FILE = 'manifest.json';
/** Checksum file in the format of `sha256sum --check`. */
const CHECKSUMS_FILE = 'SHA256SUMS';
const CHECKSUM_LINE = /^([0-9a-f]{64}) {2}(\S+)$/;
const FORMAT = 1;
const OWNER_ONLY_FILE = 0o600;
/**
 * Error codes for a file that doesn't exist, or for a path that contains a file in place of a
 * folder.
 */
const ABSENT_CODES = ['ENOENT', 'ENOTDIR'];
const CHUNK_BYTES = 1024 * 1024;
const LIST_CHUNK_LENGTH = 64 * 1024;

/** File in a backup. Its relative path uses slashes. */
export interface BackupFile {
  path: string;
  sha256: string;
}

/** Backup description, stored next to the backup's files. */
export interface BackupManifest {
  createdAt: string;
  /** Version of the program that wrote the backup. */
  version: string;
  /** Number of files, excluding the manifest and the list of checksums. */
  files: number;
  contents: number;
  /** Number of contents that were already missing or damaged in the service's data. */
  unavailable: number;
  /** ID of the key that encrypts the secrets in the database; empty if there are no secrets. */
  secretsKeyId: string;
  /** URL of the bucket that has the contents instead of the backup; empty without a bucket. */
  objectsUrl: string;
}

/**
 * Writes the list of checksums and the manifest. Must be called after all other files have been
 * written.
 */
export async function describeBackup(
  folder: string,
  files: Iterable<BackupFile> | AsyncIterable<BackupFile>,
  manifest: Omit<BackupManifest, 'files'>,
): Promise<void> {
  const digest = createHash('sha256');
  let count = 0;
  await using list = await open(join(folder, CHECKSUMS_FILE), 'wx', OWNER_ONLY_FILE);
  let text = '';
  const flush = async (): Promise<void> => {
    digest.update(text);
    await list.appendFile(text);
    text = '';
  };
  for await (const { path, sha256 } of files) {
    text += `${sha256}  ${path}\n`;
    count += 1;
    if (text.length >= LIST_CHUNK_LENGTH) await flush();
  }
  await flush();
  await list.sync();
  await writePrivateJson(join(folder, MANIFEST_FILE), {
    format: FORMAT,
    ...manifest,
    files: count,
    checksumsSha256: digest.digest('hex'),
  });
}

/**
 * Reads the manifest of a backup, and checks that its list of files is complete.
 * @throws CommandError if the folder isn't a complete backup.
 */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const fields = await unlessAbsent(readJsonObject(join(folder, MANIFEST_FILE)));
  if (fields === undefined || typeof fields.format !== 'number') {
    throw new CommandError(
      `${folder} is not a complete backup: it has no ${MANIFEST_FILE}; specify the folder that service ` +
        'backup created',
    );
  }
  if (fields.format !== FORMAT) {
    throw new CommandError(
      `${folder} was written by a newer version of Fleetwright (format ${String(fields.format)}): ` +
        'restore it with that version',
    );
  }
  const sums = await unlessAbsent(hashFile(join(folder, CHECKSUMS_FILE)));
  if (sums !== fields.checksumsSha256) {
    throw new CommandError(
      `the backup ${folder} is damaged: ${CHECKSUMS_FILE} is missing or has changed; use another backup`,
    );
  }
  return {
    createdAt: String(fields.createdAt),
    version: String(fields.version),
    files: Number(fields.files),
    contents: Number(fields.contents),
    unavailable: Number(fields.unavailable),
    secretsKeyId: String(fields.secretsKeyId),
    // Absent in backups of earlier versions.
    objectsUrl: typeof fields.objectsUrl === 'string' ? fields.objectsUrl : '',
  };
}

/** Yields the files that a backup lists. */
export async function* listFiles(folder: string): AsyncGenerator<BackupFile> {
  const lines = createInterface({ input: createReadStream(join(folder, CHECKSUMS_FILE)) });
  for await (const line of lines) {
    const [, sha256, path] = CHECKSUM_LINE.exec(line) ?? [];
    if (sha256 === undefined || path === undefined || !isInside(path)) {
      throw new CommandError(`the backup ${folder} is damaged: ${CHECKSUMS_FILE} can't be read`);
    }
    yield { sha256, path };
  }
}

/**
 * Returns true if a path remains within the folder. This must be checked, because the list might be
 * untrusted.
 */
function isInside(path: string): boolean {
  return path.split('/').every((name) => /^[\w.-]+$/.test(name) && name !== '..' && name !== '.');
}

/** Returns the hexadecimal SHA-256 hash of a file's bytes. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    hash.update(chunk as Buffer);
  }
  return hash.digest('hex');
}

async function unlessAbsent<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (ABSENT_CODES.includes(getErrorCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** Returns true if a file or folder exists at a path. */
export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
