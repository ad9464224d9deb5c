import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fetchContent } from '../../../core/data/download/fetchContent';
import type { PackageFileInfo } from '../../../core/model/packageFile';
import type { Sleep } from '../../../core/ports';
import type { RegistryStore } from '../../../core/stores/registryStore';
import { type FolderWords, NodeDownloadFolder } from '../../platform/nodeDownloadFolder';

/** Headers of a file in an archive, those of its name included, and what fills its last block up. */
const BYTES_BESIDE_FILE = 4 * 1024;
const BYTES_BESIDE_ARCHIVE = 64 * 1024;
const SHA_256 = /^[0-9a-f]{64}$/i;

export interface ArchiveOptions {
  readonly registry: RegistryStore;
  readonly sleep: Sleep;
  readonly words: FolderWords;
  readonly signal: AbortSignal;
  /** Called with how much of it there is, in bytes. */
  readonly onBytes: (bytes: number) => void;
}

/**
 * Reads an archive into a file. What had the file's name before stays until all is there; what is cut off
 * stays beside it, and a later call for the same file goes on with it.
 * @returns false, and leaves nothing of it, when the bytes are not those that were uploaded.
 * @throws FleetError, `canceled` when the signal aborts; what the file system says.
 */
export async function fetchArchive(
  archive: Pick<PackageFileInfo, 'url' | 'checksum' | 'sizeBytes' | 'files'>,
  path: string,
  { registry, sleep, words, signal, onBytes }: ArchiveOptions,
): Promise<boolean> {
  const folder = await NodeDownloadFolder.plain(dirname(path), words);
  const name = basename(path);
  const beside = `${name}.download`;
  await folder.remove('data', beside);
  let bytes = 0;
  await fetchContent(
    {
      open: (request) => registry.content(archive, request),
      sizeBytes: undefined,
      mostBytes: mostBytesOf(archive),
    },
    beside,
    {
      ...{ folder, sleep, signal },
      random: Math.random,
      onBytes: (more) => {
        bytes += more;
        onBytes(bytes);
      },
    },
  );
  if (!(await isWhole(join(dirname(path), beside), archive))) {
    await folder.remove('data', beside);
    return false;
  }
  await folder.remove('data', name);
  await folder.rename(beside, name);
  return true;
}

/**
 * So many bytes an archive has at most; undefined where nothing is told of its size. What is told may be
 * the size of what is in it, which an archive adds headers to and may not be able to make smaller.
 */
function mostBytesOf({
  sizeBytes,
  files,
}: Pick<PackageFileInfo, 'sizeBytes' | 'files'>): number | undefined {
  if (sizeBytes === undefined) return undefined;
  return (
    Math.ceil(sizeBytes * 1.01) + (files.length + 1) * BYTES_BESIDE_FILE + BYTES_BESIDE_ARCHIVE
  );
}

/** Whether the bytes are those that were uploaded, as far as the service says. */
async function isWhole(
  path: string,
  { checksum }: Pick<PackageFileInfo, 'checksum'>,
): Promise<boolean> {
  if (!SHA_256.test(checksum)) return true;
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex') === checksum.toLowerCase();
}
