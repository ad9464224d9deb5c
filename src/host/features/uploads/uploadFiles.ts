import * as vscode from 'vscode';
import { canceled, FleetError, isCanceled, toFleetError } from '../../../core/api/errors';
import { isTargetOf, type PartTarget } from '../../../core/model/resourceTarget';
import { trackProgress } from '../../platform/commands/progress';
import { confirm, pickOne } from '../../platform/prompts/prompts';
import { formatBytes, formatNumber } from '../../platform/text/displayText';
import type { FileSearchResult, UploadOffer } from '../../platform/featureInterfaces';
import { configureFileUpload } from './fileSettings';
import { findFiles } from './findFiles';
import { formatPart, uploadPart, type UploadTools } from './uploadPart';
import { uploadRun } from './uploadRun';
import type { FileSource } from '../../../core/data/uploads/fileSource';
import { findStoredFiles } from '../../../core/data/uploads/storedFiles';
import { toDisplayText } from '../../../core/model/displayText';
import type { BinaryDataStore } from '../../../core/stores/binaryDataStore';

/** Number of files above which an additional confirmation is required. */
const MANY_FILES = 1_000;

/**
 * Arguments from the Explorer, or the part that was clicked in the tree; empty from the Command
 * Palette.
 */
export type UploadArguments = readonly [clicked?: object, selected?: readonly object[]];

/** Uploads files and folders to a part. Throws `canceled` if the user dismisses the prompt. */
export async function uploadFiles(tools: UploadTools, args: UploadArguments): Promise<void> {
  const target = getClickedPart(args);
  const chosen = getSelectedUris(args);
  const uris = chosen.length > 0 ? chosen : await pickFiles();
  const part = await uploadPart(tools, { target });
  await offerFound(tools, part, await search(uris), []);
}

/** Uploads files from another source, such as a drag-and-drop operation. */
export async function offerUpload(
  tools: UploadTools,
  { connectionId, partId, found, datasets = [] }: UploadOffer,
): Promise<void> {
  const part = await uploadPart(tools, { partId }, connectionId);
  await offerFound(tools, part, found, datasets);
}

/** Returns the files in a selection, with a cancelable notification. */
export function search(uris: readonly vscode.Uri[]): Promise<FileSearchResult> {
  return trackProgress(vscode.l10n.t('Searching for files'), (signal, report) =>
    findFiles(uris, { signal, onFound: (count) => report(formatNumber(count)) }),
  );
}

/** Returns the files and folders from a command's arguments. */
export function getSelectedUris([clicked, selected = []]: UploadArguments): readonly vscode.Uri[] {
  const uris = selected.filter((one) => one instanceof vscode.Uri);
  if (uris.length > 0) return uris;
  return clicked instanceof vscode.Uri ? [clicked] : [];
}

/** Returns the part from a command's arguments. */
export function getClickedPart([clicked]: UploadArguments): PartTarget | undefined {
  return isTargetOf('part', clicked) ? clicked : undefined;
}

async function offerFound(
  tools: UploadTools,
  part: PartTarget,
  found: FileSearchResult,
  datasets: UploadOffer['datasets'] & object,
): Promise<void> {
  if (found.files.length === 0) throw nothingFound(found);
  const initial = { part, tags: [], datasets, component: '' };
  const settings = await configureFileUpload(tools, found, initial);
  const { binaryData } = tools.sessions.stores(settings.part.connectionId);
  const chosen = await withoutDuplicates(binaryData, found, settings.part);
  if (chosen.files.length > MANY_FILES) await confirmMany(chosen, settings.part);
  await uploadRun(tools, chosen.files, settings, chosen.skipped);
}

async function confirmMany({ files }: FileSearchResult, part: PartTarget): Promise<void> {
  const bytes = formatBytes(files.reduce((sum, { size }) => sum + size, 0));
  await confirm(
    vscode.l10n.t('Upload {0} files to {1}?', formatNumber(files.length), formatPart(part)),
    vscode.l10n.t('Their total size is {0}.', bytes),
    vscode.l10n.t('Upload'),
  );
}

function nothingFound({ skipped: [first] }: FileSearchResult): FleetError {
  const message = first
    ? vscode.l10n.t('There is nothing to upload. {0}: {1}', first.name, first.reason)
    : vscode.l10n.t('There are no files in this folder.');
  return new FleetError('notFound', message);
}

/**
 * Prompts for files or folders. Because not every operating system has a dialog for both, the user
 * first chooses between files and folders. Throws `canceled`.
 */
export async function pickFiles(): Promise<readonly vscode.Uri[]> {
  const kind = await pickOne(
    [
      { label: vscode.l10n.t('Files…'), iconPath: new vscode.ThemeIcon('file'), folders: false },
      {
        label: vscode.l10n.t('Folder…'),
        iconPath: new vscode.ThemeIcon('folder'),
        folders: true,
      },
    ],
    {
      title: vscode.l10n.t('Upload Files'),
      placeholder: vscode.l10n.t('Select files or a folder to upload'),
    },
  );
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Upload Files'),
    openLabel: vscode.l10n.t('Select'),
    canSelectFiles: !kind.folders,
    canSelectFolders: kind.folders,
    canSelectMany: true,
    ...(folder && { defaultUri: folder.uri }),
  });
  if (!chosen || chosen.length === 0) throw canceled();
  return chosen;
}

/**
 * Offers to skip files that a part already has. Returns the files to upload and the skipped files
 * for the report. Throws `canceled`.
 */
export async function withoutDuplicates(
  binaryData: Pick<BinaryDataStore, 'page'>,
  found: FileSearchResult,
  part: PartTarget,
): Promise<FileSearchResult> {
  const { files } = found;
  const stored = await trackProgress(vscode.l10n.t('Checking for duplicates'), (signal) =>
    findStoredFiles(files, { binaryData, part: part.partId, signal }).catch((error: unknown) => {
      if (signal.aborted || isCanceled(error)) throw canceled();
      // A key with permission to add data but not to read it can still upload.
      if (toFleetError(error).kind === 'permission') return new Set<FileSource>();
      throw error;
    }),
  );
  if (stored.size === 0) return found;
  const choice = await promptForDuplicates(found, stored.size, part);
  if (choice === 'all') return found;
  const reason = vscode.l10n.t('The part has a file with this name and size.');
  const skipped = [...stored].map(({ path }) => ({ name: toDisplayText(path), reason }));
  return {
    files: files.filter((file) => !stored.has(file)),
    skipped: [...found.skipped, ...skipped],
  };
}

async function promptForDuplicates(
  { files }: FileSearchResult,
  count: number,
  part: PartTarget,
): Promise<'all' | 'new'> {
  const skip = vscode.l10n.t('Skip Duplicates');
  const all = files.length === 1 ? vscode.l10n.t('Upload Again') : vscode.l10n.t('Upload All');
  const isAny = count < files.length;
  const chosen = await vscode.window.showWarningMessage(
    describeDuplicates(files.length, count, toDisplayText(files[0]?.path ?? '')),
    {
      modal: true,
      detail: vscode.l10n.t(
        'Files with the same name and size already exist in {0}. Uploading them again creates duplicates.',
        formatPart(part),
      ),
    },
    ...(isAny ? [skip, all] : [all]),
  );
  if (chosen === undefined) throw canceled();
  return chosen === all ? 'all' : 'new';
}

function describeDuplicates(of: number, count: number, name: string): string {
  if (of === 1) return vscode.l10n.t('"{0}" is already in this part.', name);
  if (count === of) {
    return vscode.l10n.t('All {0} files are already in this part.', formatNumber(of));
  }
  return count === 1
    ? vscode.l10n.t('1 of {0} files is already in this part.', formatNumber(of))
    : vscode.l10n.t(
        '{0} of {1} files are already in this part.',
        formatNumber(count),
        formatNumber(of),
      );
}
