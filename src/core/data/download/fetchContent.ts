import { englishLocalizer, type Localizer } from '../../../base/localizer';
import { FleetError, toFleetError } from '../../api/errors';
import type { ContentMark, ContentRequest, ContentStream } from '../../api/contentStream';
import type { Sleep } from '../../ports';

/** Maximum number of attempts, the same as in the CLI of the public service. */
const ATTEMPTS = 5;
const FIRST_WAIT_MS = 200;
const MAX_WAIT_MS = 5_000;

/** Content on a service. */
export interface ContentSource {
  readonly open: (request: ContentRequest) => Promise<ContentStream>;
  /** Size in bytes, used if the stream doesn't report its size; undefined if unknown. */
  readonly sizeBytes: number | undefined;
  /** Maximum number of bytes, used if neither the stream nor `sizeBytes` specifies the size. */
  readonly maxBytes?: number | undefined;
}

export interface FetchOptions {
  readonly folder: DownloadFolder;
  readonly sleep: Sleep;
  /** Returns a number in [0, 1), to spread the retries of concurrent downloads. */
  readonly random: () => number;
  readonly signal: AbortSignal;
  /**
   * Called with the number of received bytes; the number is negative if bytes must be downloaded
   * again.
   */
  readonly onBytes: (bytes: number) => void;
  /** Translates error messages. */
  readonly l10n?: Localizer;
}

/**
 * Downloads content into its file. Resumes an interrupted attempt or download if the content is
 * still the same. Throws `FleetError`.
 */
export async function fetchContent(
  source: ContentSource,
  name: string,
  options: FetchOptions,
): Promise<void> {
  const { sleep, random, signal } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await tryOnce(source, name, options);
      return;
    } catch (thrown) {
      const error = toFleetError(thrown);
      // The written bytes are not the start of the content.
      if (error.kind === 'invalid' || error.kind === 'damaged') {
        await removePartial(options.folder, name);
      }

      if (attempt === ATTEMPTS || signal.aborted || !isWorthARetry(error)) throw error;

      const longest = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), MAX_WAIT_MS);
      await sleep(longest * random(), signal);
    }
  }
}

function isWorthARetry({ kind, action }: FleetError): boolean {
  // A full disk is also `unavailable`, but retrying doesn't help.
  return (kind === 'unavailable' && action === 'retry') || kind === 'conflict';
}

async function tryOnce(source: ContentSource, name: string, options: FetchOptions): Promise<void> {
  const { folder, signal, onBytes, l10n = englishLocalizer } = options;
  const partial = partialName(name);
  const from = await readContentMark(folder, name);
  const stream = await source.open({ signal, from }).catch(async (error: unknown) => {
    // The file is longer than the content, so all of it must be downloaded again.
    if (toFleetError(error).kind === 'conflict') await removePartial(folder, name);

    throw error;
  });
  if (stream.version === undefined) await folder.remove('data', versionName(name));
  else if (stream.start === 0) await folder.write('data', versionName(name), stream.version);

  let written = stream.start;
  onBytes(written);
  const file = await folder.open(partial, stream.start);
  try {
    const maxBytes = stream.size ?? source.sizeBytes ?? source.maxBytes ?? Infinity;
    written = await writeChunks(stream.chunks, file, { start: written, maxBytes, onBytes, l10n });
    const expected = stream.size ?? source.sizeBytes ?? written;
    if (written !== expected) throw shortContent(written, expected, l10n);
  } catch (error) {
    onBytes(-written);
    throw error;
  } finally {
    await file.close();
  }
  if (!(await folder.rename(partial, name))) {
    throw new FleetError(
      'invalid',
      l10n.t('Another file named "{0}" was added to the folder in the meantime.', name),
    );
  }
  await folder.remove('data', versionName(name));
}

async function writeChunks(
  chunks: AsyncIterable<Uint8Array>,
  file: OpenPart,
  {
    start,
    maxBytes,
    onBytes,
    l10n,
  }: Required<Pick<FetchOptions, 'onBytes' | 'l10n'>> & {
    readonly start: number;
    readonly maxBytes: number;
  },
): Promise<number> {
  let written = start;
  for await (const chunk of chunks) {
    // A service that never stops sending would fill the disk.
    if (written + chunk.length > maxBytes) throw longContent(maxBytes, l10n);

    await file.write(chunk);
    written += chunk.length;
    onBytes(chunk.length);
  }
  return written;
}

/** Returns the position at which an earlier download stopped. */
async function readContentMark(
  folder: DownloadFolder,
  name: string,
): Promise<ContentMark | undefined> {
  const version = await folder.read('data', versionName(name));
  const start = await folder.size('data', partialName(name));
  return version === undefined || start === undefined || start === 0
    ? undefined
    : { start, version };
}

async function removePartial(folder: DownloadFolder, name: string): Promise<void> {
  await folder.remove('data', versionName(name));
  await folder.remove('data', partialName(name));
}

function longContent(maxBytes: number, l10n: Localizer): FleetError {
  const message = l10n.t(
    'The service sent more than the announced {0} bytes. Nothing was saved.',
    String(maxBytes),
  );
  return new FleetError('invalid', message);
}

function shortContent(written: number, expected: number, l10n: Localizer): FleetError {
  const message = l10n.t('Only {0} of {1} bytes were received.', String(written), String(expected));
  return new FleetError('unavailable', message, { action: 'retry' });
}

function partialName(name: string): string {
  return `${name}.part`;
}

/**
 * Returns the name of the file, next to a partial file, that identifies the partial file's content
 * version.
 */
function versionName(name: string): string {
  return `${name}.part.version`;
}

/** Subfolder for contents or for metadata. */
export type DownloadPart = 'data' | 'metadata';

/** Open file that is written starting at an offset. */
export interface OpenPart {
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/**
 * Folder for a download. Names are single path segments, and links out of the folder are not
 * followed. Methods throw `FleetError`. The kind `unavailable` means that the disk is full or can't
 * be written to, and ends the download.
 */
export interface DownloadFolder {
  /** Returns the names of the files in a part. */
  names(part: DownloadPart): Promise<readonly string[]>;
  /** Returns the size of a file in bytes; undefined if the file doesn't exist. */
  size(part: DownloadPart, name: string): Promise<number | undefined>;
  read(part: DownloadPart, name: string): Promise<string | undefined>;
  /** Writes a complete text file and overwrites an existing one. */
  write(part: DownloadPart, name: string, text: string): Promise<void>;
  /** Opens a content file to resume at an offset and truncates the file at this offset. */
  open(name: string, at: number): Promise<OpenPart>;
  /**
   * Renames a content file to its final name. @returns false if a file with that name already
   * exists.
   */
  rename(from: string, to: string): Promise<boolean>;
  remove(part: DownloadPart, name: string): Promise<void>;
}

/**
 * Error thrown when a download can't write to its folder, because the disk is full, or the folder
 * is read-only or was deleted.
 */
export class FolderError extends FleetError {
  constructor(message: string, cause: unknown) {
    super('unavailable', message, { cause });
  }
}
