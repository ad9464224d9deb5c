import * as vscode from 'vscode';
import { FleetError, toFleetError } from '../../../core/api/errors';
import type { FileSource } from '../../../core/data/uploads/fileSource';
import { topmost } from '../../../core/data/uploads/topmost';
import { toDisplayText } from '../../../core/model/toDisplayText';
import type { ReportedProblem } from '../../platform/bulkReport';
import type { FoundFiles } from '../../platform/uploadOffer';
import { localFile } from './localFile';

/**
 * Maximum number of files. Typical selections have fewer, and the names of more files would take
 * too much memory.
 */
export const MAX_FILES = 100_000;

export interface FindOptions {
  readonly signal: AbortSignal;
  readonly onFound: (files: number) => void;
}

/**
 * Returns all files of a selection, including those in nested folders. Doesn't follow links. Skips
 * hidden files in folders, but not directly selected ones.
 * @throws FleetError if there are too many files or the search is canceled.
 */
export async function findFiles(
  chosen: readonly vscode.Uri[],
  options: FindOptions,
): Promise<FoundFiles> {
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

  get found(): FoundFiles {
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
      if (error instanceof TooManyFiles || this.options.signal.aborted) throw error;
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
    if (this.files.length >= MAX_FILES) throw new TooManyFiles();
    this.files.push(file);
    this.options.onFound(this.files.length);
  }

  private skip(path: string, reason: string): void {
    this.problems.push({ name: toDisplayText(path), reason });
  }
}

class TooManyFiles extends FleetError {
  constructor() {
    super(
      'invalid',
      vscode.l10n.t('You selected more than {0} files. Upload them in smaller batches.', MAX_FILES),
    );
  }
}

export function getBaseName({ path }: vscode.Uri): string {
  const whole = path.replace(/\/+$/, '');
  return whole.slice(whole.lastIndexOf('/') + 1);
}

function getLinkMessage(): string {
  return vscode.l10n.t('It is a link, and links are not followed.');
}

/** Returns the reason why a file or folder can't be read. */
function describeReadError(error: unknown, path: string): string {
  switch (error instanceof vscode.FileSystemError ? error.code : undefined) {
    case 'FileNotFound':
      // Bytes that aren't UTF-8 arrive as U+FFFD, so the name doesn't lead to the file.
      return path.includes('\uFFFD')
        ? vscode.l10n.t('Its name is not valid UTF-8. Rename it, then upload it again.')
        : vscode.l10n.t('It no longer exists.');
    case 'NoPermissions':
      return vscode.l10n.t("You don't have permission to read it.");
    default:
      return toFleetError(error).message;
  }
}
