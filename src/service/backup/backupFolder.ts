import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { CommandError } from '../process/commandError';
import { readJsonObject, writePrivateJson } from '../process/privateFile';

const MANIFEST_FILE = 'manifest.json';
/** In the form that `sha256sum --check` reads. */
const CHECKSUMS_FILE = 'SHA256SUMS';
const CHECKSUM_LINE = /^([0-9a-f]{64}) {2}(\S+)$/;
const FORMAT = 1;
const OWNER_ONLY_DIRECTORY = 0o700;
const OWNER_ONLY_FILE = 0o600;
const CHUNK_BYTES = 1024 * 1024;

/** A file of a backup, by its path in it with slashes. */
export interface BackupFile {
  path: string;
  sha256: string;
}

/** Description of a backup, beside its files. */
export interface BackupManifest {
  createdAt: string;
  /** Version of the program that wrote it. */
  version: string;
  /** How many files it has, without this one and the list of checksums. */
  files: number;
  contents: number;
  /** Contents that the service itself did not have any more, or had damaged. */
  unavailable: number;
  /** The key that the secrets in the database are encrypted with; empty when it has none. */
  secretsKeyId: string;
}

/** Writes the list of checksums and the manifest, after all other files. */
export async function describeBackup(
  folder: string,
  files: readonly BackupFile[],
  manifest: Omit<BackupManifest, 'files'>,
): Promise<void> {
  const text = files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('');
  await using list = await open(join(folder, CHECKSUMS_FILE), 'wx', OWNER_ONLY_FILE);
  await list.writeFile(text);
  await list.sync();
  await writePrivateJson(join(folder, MANIFEST_FILE), {
    ...{ format: FORMAT, ...manifest, files: files.length },
    checksumsSha256: createHash('sha256').update(text).digest('hex'),
  });
}

/**
 * Reads the manifest of a backup, and checks that its list of files is complete.
 * @throws CommandError when the folder is not a complete backup.
 */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const fields = await readJsonObject(join(folder, MANIFEST_FILE)).catch(() => undefined);
  if (fields === undefined || typeof fields.format !== 'number') {
    throw new CommandError(
      `${folder} is not a complete backup: it has no ${MANIFEST_FILE}; name the folder that service ` +
        'backup has written',
    );
  }
  if (fields.format !== FORMAT) {
    throw new CommandError(
      `${folder} was written by a newer version of Fleetwright (format ${String(fields.format)}): ` +
        'restore it with that version',
    );
  }
  const sums = await sha256OfFile(join(folder, CHECKSUMS_FILE)).catch(() => '');
  if (sums !== fields.checksumsSha256) {
    throw new CommandError(
      `the backup ${folder} is damaged: ${CHECKSUMS_FILE} is missing or has changed; use another backup`,
    );
  }
  return {
    ...{ createdAt: String(fields.createdAt), version: String(fields.version) },
    ...{ files: Number(fields.files), contents: Number(fields.contents) },
    ...{ unavailable: Number(fields.unavailable), secretsKeyId: String(fields.secretsKeyId) },
  };
}

/** The files that the list of a backup names. */
export async function* listFiles(folder: string): AsyncGenerator<BackupFile> {
  const lines = createInterface({ input: createReadStream(join(folder, CHECKSUMS_FILE)) });
  for await (const line of lines) {
    const [, sha256, path] = CHECKSUM_LINE.exec(line) ?? [];
    if (sha256 === undefined || path === undefined || !isInside(path)) {
      throw new CommandError(`the backup ${folder} is damaged: ${CHECKSUMS_FILE} cannot be read`);
    }
    yield { sha256, path };
  }
}

/** Paths of a list lead nowhere but into the folder, anyone who wrote the list. */
function isInside(path: string): boolean {
  return path.split('/').every((name) => /^[\w.-]+$/.test(name) && name !== '..' && name !== '.');
}

/** SHA-256 of a file's bytes in hexadecimal. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    hash.update(chunk as Buffer);
  }
  return hash.digest('hex');
}

/**
 * Copies a file, durably, into a folder that is made if need be.
 * @returns SHA-256 of the bytes in hexadecimal.
 * @throws `ENOENT` when there is no such file; nothing is left behind then.
 */
export async function copyFileDurably(source: string, target: string): Promise<string> {
  const hash = createHash('sha256');
  await using input = await open(source);
  await mkdir(dirname(target), { recursive: true, mode: OWNER_ONLY_DIRECTORY });
  await using output = await open(target, 'wx', OWNER_ONLY_FILE);
  const stream = input.createReadStream({ autoClose: false, highWaterMark: CHUNK_BYTES });
  for await (const chunk of stream) {
    hash.update(chunk as Buffer);
    await output.appendFile(chunk as Buffer);
  }
  await output.sync();
  return hash.digest('hex');
}

/** Whether there is a file or folder at a path. */
export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
