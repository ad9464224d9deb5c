import * as vscode from 'vscode';
import { getErrorCode } from '../../../base/errorCode';
import { FleetError, toFleetError } from '../../../core/api/errors';
import { type FileSource, topmost } from '../../../core/data/uploads/fileSource';
import { toDisplayText } from '../../../core/model/displayText';
import type { ReportedProblem } from '../../platform/commands/bulkReports';
import type { FileSearchResult } from '../../platform/featureInterfaces';
import { FileChangedError, readDiskChunks } from '../../../archives/readDiskChunks';
import { MICROS_PER_MILLISECOND } from '../../../core/model/timestamp';

/**
 * Maximum number of files. Typical selections contain fewer files, and the names of more files
 * would take too much memory.
 */
const MAX_FILES = 100_000;

export interface FindOptions {
  readonly signal: AbortSignal;
  readonly onFound: (files: number) => void;
}

/**
 * Returns all files in a selection, including those in nested folders. Doesn't follow links. Skips
 * hidden files in folders, but not directly selected ones.
 * @throws FleetError if there are too many files or the search is canceled.
 */
export async function findFiles(
  chosen: readonly vscode.Uri[],
  options: FindOptions,
): Promise<FileSearchResult> {
  const search = new FileSearch(options);
  const byAddress = new Map(chosen.map((uri) => [uri.toString(), uri]));
  for (const address of topmost(byAddress.keys())) {
    const uri = byAddress.get(address);
    if (uri) await search.visit(uri, getBaseName(uri));
  }
  return search.found;
}

class FileSearch {
  private readonly files: FileSource[] = [];
  private readonly problems: ReportedProblem[] = [];

  constructor(private readonly options: FindOptions) {}

  get found(): FileSearchResult {
    return { files: this.files, skipped: this.problems };
  }

  async visit(uri: vscode.Uri, path: string): Promise<void> {
    this.options.signal.throwIfAborted();
    try {
      const stat = await vscode.workspace.fs.stat(uri);
      if (stat.type & vscode.FileType.SymbolicLink) this.skip(path, getLinkMessage());
      else if (stat.type & vscode.FileType.Directory) await this.visitFolder(uri, path);
      else if (stat.type & vscode.FileType.File) this.add(localFile(uri, path, stat));
      else this.skip(path, vscode.l10n.t('It is neither a file nor a folder.'));
    } catch (error) {
      if (error instanceof TooManyFilesError || this.options.signal.aborted) throw error;
      this.skip(path, describeReadError(error, path));
    }
  }

  private async visitFolder(uri: vscode.Uri, path: string): Promise<void> {
    const entries = await vscode.workspace.fs.readDirectory(uri);
    for (const [name] of entries.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      const inside = `${path}/${name}`;
      if (name.startsWith('.')) this.skip(inside, vscode.l10n.t('It is hidden.'));
      else await this.visit(vscode.Uri.joinPath(uri, name), inside);
    }
  }

  private add(file: FileSource): void {
    if (this.files.length >= MAX_FILES) throw new TooManyFilesError();
    this.files.push(file);
    this.options.onFound(this.files.length);
  }

  private skip(path: string, reason: string): void {
    this.problems.push({ name: toDisplayText(path), reason });
  }
}

class TooManyFilesError extends FleetError {
  constructor() {
    super(
      'invalid',
      vscode.l10n.t('You selected more than {0} files. Upload them in smaller batches.', MAX_FILES),
    );
  }
}

function getBaseName({ path }: vscode.Uri): string {
  const whole = path.replace(/\/+$/, '');
  return whole.slice(whole.lastIndexOf('/') + 1);
}

function getLinkMessage(): string {
  return vscode.l10n.t('Symbolic links are not followed.');
}

/** Returns the reason why a file or folder can't be read. */
function describeReadError(error: unknown, path: string): string {
  switch (error instanceof vscode.FileSystemError ? error.code : undefined) {
    case 'FileNotFound':
      // Bytes that aren't UTF-8 arrive as U+FFFD, so the file can't be found by this name.
      return path.includes('\uFFFD')
        ? vscode.l10n.t('Its name is not valid UTF-8. Rename it, then upload it again.')
        : vscode.l10n.t('It no longer exists.');
    case 'NoPermissions':
      return vscode.l10n.t("You don't have permission to read it.");
    default:
      return toFleetError(error).message;
  }
}

/**
 * Maximum size in bytes of files in other file systems, where a file can only be read as a whole.
 */
const MAX_WHOLE_BYTES = 256 * 1024 * 1024;

/** Returns a source for a file in any of VS Code's file systems, in the file's current state. */
function localFile(
  uri: vscode.Uri,
  path: string,
  { size, ctime, mtime }: Pick<vscode.FileStat, 'size' | 'ctime' | 'mtime'>,
): FileSource {
  const read = uri.scheme === 'file' ? readChunks : readWhole;
  return {
    path,
    size,
    // File systems that don't store times report zero.
    createdAt: ctime > 0 ? Math.floor(ctime) * MICROS_PER_MILLISECOND : undefined,
    modifiedAt: mtime > 0 ? Math.floor(mtime) * MICROS_PER_MILLISECOND : undefined,
    read: (signal) => explained(read(uri, path, { size, mtime }, signal), path),
  };
}

type Found = Pick<vscode.FileStat, 'size' | 'mtime'>;

function readChunks(
  { fsPath }: vscode.Uri,
  _: string,
  found: Found,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  return readDiskChunks(fsPath, found, signal);
}

async function* readWhole(
  uri: vscode.Uri,
  path: string,
  { size }: Found,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (size > MAX_WHOLE_BYTES) throw tooLarge(path);
  const bytes = await vscode.workspace.fs.readFile(uri);
  signal.throwIfAborted();
  if (bytes.length !== size) throw changed(path);
  yield bytes;
}

async function* explained(
  content: AsyncIterable<Uint8Array>,
  path: string,
): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (error) {
    throw readFailure(error, path);
  }
}

function readFailure(error: unknown, path: string): FleetError {
  if (error instanceof FileChangedError) return changed(path);
  const known = toFleetError(error);
  if (error instanceof FleetError || known.kind === 'canceled') return known;
  switch (getErrorCode(error)) {
    case 'ENOENT':
    case 'FileNotFound':
      return new FleetError(
        'notFound',
        vscode.l10n.t('"{0}" no longer exists.', toDisplayText(path)),
        { cause: error },
      );
    case 'EACCES':
    case 'EPERM':
    case 'NoPermissions':
      return new FleetError(
        'invalid',
        vscode.l10n.t('You don\'t have permission to read "{0}".', toDisplayText(path)),
        { cause: error },
      );
    default:
      return new FleetError(
        'invalid',
        vscode.l10n.t('Couldn\'t read "{0}". {1}', toDisplayText(path), known.message),
        { cause: error },
      );
  }
}

function changed(path: string): FleetError {
  return new FleetError(
    'conflict',
    vscode.l10n.t(
      '"{0}" changed after it was selected. Upload it again when no program is writing to it.',
      toDisplayText(path),
    ),
  );
}

function tooLarge(path: string): FleetError {
  return new FleetError(
    'unsupported',
    vscode.l10n.t(
      '"{0}" is not on this computer and is too large to load. Copy it to this computer first.',
      toDisplayText(path),
    ),
  );
}
