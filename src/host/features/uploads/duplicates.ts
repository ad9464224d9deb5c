import * as vscode from 'vscode';
import { canceled, isCanceled, toFleetError } from '../../../core/api/errors';
import type { FileSource } from '../../../core/data/uploads/fileSource';
import { findStoredFiles } from '../../../core/data/uploads/storedFiles';
import { toDisplayText } from '../../../core/model/toDisplayText';
import type { PartTarget } from '../../../core/model/resourceTarget';
import type { BinaryDataStore } from '../../../core/stores/binaryDataStore';
import { trackProgress } from '../../platform/progress';
import { formatNumber } from '../../platform/quantityText';
import type { FoundFiles } from '../../platform/uploadOffer';
import { formatPart } from './uploadPart';

/**
 * Offers to skip files that a part already has. Returns the files to upload and the skipped files
 * for the report. Throws `canceled`.
 */
export async function withoutDuplicates(
  binaryData: Pick<BinaryDataStore, 'page'>,
  found: FoundFiles,
  part: PartTarget,
): Promise<FoundFiles> {
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
  { files }: FoundFiles,
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
