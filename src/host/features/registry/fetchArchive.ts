import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Localizer } from '../../../base/localizer';
import { fetchContent } from '../../../core/data/download/fetchContent';
import type { PackageFileInfo } from '../../../core/model/registryPackage';
import type { Sleep } from '../../../core/ports';
import type { RegistryStore } from '../../../core/stores/registryStore';
import { type DescribeFolderError, NodeDownloadFolder } from '../../platform/files/downloadFolder';

/**
 * Maximum number of additional bytes per file in an archive: the headers, including those for the
 * name, and the padding of the last block.
 */
const BYTES_BESIDE_FILE = 4 * 1024;
const BYTES_BESIDE_ARCHIVE = 64 * 1024;
const SHA_256 = /^[0-9a-f]{64}$/i;

export interface ArchiveOptions {
  readonly registry: RegistryStore;
  readonly sleep: Sleep;
  readonly describeError: DescribeFolderError;
  readonly signal: AbortSignal;
  /** Called with the total number of bytes downloaded so far. */
  readonly onBytes: (bytes: number) => void;
  /** Localizer for error messages. */
  readonly l10n?: Localizer;
}

/**
 * Downloads an archive to a file. An existing file is replaced only when the download is complete.
 * An interrupted download remains next to that file, and a later call for the same file resumes it.
 * @returns false, and deletes the download, if its bytes differ from the uploaded bytes.
 * @throws FleetError, `canceled` when the signal aborts; file system errors.
 */
export async function fetchArchive(
  archive: Pick<PackageFileInfo, 'url' | 'checksum' | 'sizeBytes' | 'files'>,
  path: string,
  { registry, sleep, describeError, signal, onBytes, l10n }: ArchiveOptions,
): Promise<boolean> {
  const folder = await NodeDownloadFolder.plain(dirname(path), describeError);
  const name = basename(path);
  const temporaryName = `${name}.download`;
  await folder.remove('data', temporaryName);
  let bytes = 0;
  await fetchContent(
    {
      open: (request) => registry.content(archive, request),
      sizeBytes: undefined,
      maxBytes: getMaxBytes(archive),
    },
    temporaryName,
    {
      folder,
      sleep,
      signal,
      ...(l10n && { l10n }),
      random: Math.random,
      onBytes: (more) => {
        bytes += more;
        onBytes(bytes);
      },
    },
  );
  if (!(await isWhole(join(dirname(path), temporaryName), archive))) {
    await folder.remove('data', temporaryName);
    return false;
  }
  await folder.remove('data', name);
  await folder.rename(temporaryName, name);
  return true;
}

/**
 * Returns the maximum number of bytes in an archive; undefined if the service doesn't report its
 * size. The reported size can be that of the contents, to which an archive adds headers, possibly
 * without compressing them.
 */
function getMaxBytes({
  sizeBytes,
  files,
}: Pick<PackageFileInfo, 'sizeBytes' | 'files'>): number | undefined {
  if (sizeBytes === undefined) return undefined;
  return (
    Math.ceil(sizeBytes * 1.01) + (files.length + 1) * BYTES_BESIDE_FILE + BYTES_BESIDE_ARCHIVE
  );
}

/** Returns true if the bytes match the upload, according to the service. */
async function isWhole(
  path: string,
  { checksum }: Pick<PackageFileInfo, 'checksum'>,
): Promise<boolean> {
  if (!SHA_256.test(checksum)) return true;
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex') === checksum.toLowerCase();
}
