import * as vscode from 'vscode';
import { readDiskChunks, FileChanged } from '../../../archives/readDiskChunks';
import { FleetError, toFleetError } from '../../../core/api/errors';
import type { FileSource } from '../../../core/data/uploads/fileSource';
import { toDisplayText } from '../../../core/model/toDisplayText';
import { MICROS_PER_MILLISECOND } from '../../../core/model/micros';

/** Maximum size in bytes of files in other file systems, which can read a file only as a whole. */
const MAX_WHOLE_BYTES = 256 * 1024 * 1024;

/** Returns a source for a file in any of VS Code's file systems, in the file's current state. */
export function localFile(
  uri: vscode.Uri,
  path: string,
  { size, ctime, mtime }: Pick<vscode.FileStat, 'size' | 'ctime' | 'mtime'>,
): FileSource {
  const read = uri.scheme === 'file' ? readChunks : readWhole;
  return {
    ...{ path, size },
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
  if (error instanceof FileChanged) return changed(path);
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

function getErrorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
