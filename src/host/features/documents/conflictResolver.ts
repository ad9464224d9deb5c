import * as vscode from 'vscode';
import type { DocumentAddress } from '../../../core/documents/documentAddress';
import type { DocumentFile } from '../../../core/documents/documentFile';
import { presentJson } from '../../../core/documents/jsonText';
import { findResourcePath } from '../../../core/documents/documentResource';
import { confirm } from '../../platform/prompts/prompts';
import type { SessionProvider } from '../../platform/sessionProvider';
import { getFileName, revisionUri } from '../../platform/documents/documentUris';
import { replaceText } from '../../platform/documents/replaceText';
import { findLastEdit, formatLastEdit } from './saveMessages';
import { describeDocument } from '../../platform/documents/describeDocument';
import type { RevisionContent } from './revisionContent';

/** Document that is open in an editor, and its file. */
export interface OpenDocument {
  readonly document: vscode.TextDocument;
  readonly file: DocumentFile;
  readonly address: DocumentAddress;
}

/** Handles three of the four recovery actions for a conflict: Compare, Overwrite, and Reload. */
export class ConflictResolver {
  constructor(
    private readonly sessions: SessionProvider,
    private readonly content: RevisionContent,
  ) {}

  /** Shows the remote version next to the edits. */
  async compare({ document }: OpenDocument): Promise<void> {
    const remote = revisionUri(document.uri, 'current');
    this.content.refresh(remote);
    await hideToasts();
    const title = vscode.l10n.t('{0}: Remote ↔ Yours', getFileName(document.uri));
    await vscode.commands.executeCommand('vscode.diff', remote, document.uri, title);
  }

  /** Overwrites another user's change with the edits after the user confirms. */
  async overwrite({ document, file, address }: OpenDocument): Promise<void> {
    const remote = await file.readNow();
    const path = await findResourcePath(
      this.sessions.stores(address.connectionId),
      address.subject,
    );
    const lastEdit = await findLastEdit(this.sessions, address, remote.text);
    const consequence =
      address.subject.type === 'partConfig' || address.subject.type === 'fragmentConfig'
        ? vscode.l10n.t('The current version remains in the history.')
        : vscode.l10n.t('The current version will be lost because metadata has no history.');
    await confirm(
      vscode.l10n.t('Overwrite {0} with your version?', describeDocument(address.subject, path)),
      lastEdit ? `${formatLastEdit(lastEdit)} ${consequence}` : consequence,
      vscode.l10n.t('Overwrite'),
    );
    file.approve(document.getText(), remote);
    if (await document.save()) await closeComparison(document);
  }

  /**
   * Shows the remote version in the editor. Prompts for confirmation if there are unsaved edits.
   */
  async reload({ document, file }: OpenDocument): Promise<void> {
    if (file.editorState === 'dirty' || document.isDirty) {
      await confirm(
        vscode.l10n.t('Discard your unsaved edits to "{0}"?', getFileName(document.uri)),
        vscode.l10n.t('The editor shows the remote version. Use Undo to restore your edits.'),
        vscode.l10n.t('Discard and Reload'),
      );
    }
    const remote = await file.readNow();
    await replaceText(document, presentJson(remote.text));
    // The service already has this text, so the save writes nothing and only marks the editor as
    // clean.
    if (await document.save()) await closeComparison(document);
  }
}

/**
 * Hides notification toasts. The messages stay in the notification list. Otherwise, the message
 * about a failed save would cover the view that opens when the user clicks a link in that message.
 */
export async function hideToasts(): Promise<void> {
  await vscode.commands.executeCommand('notifications.hideToasts');
}

/**
 * Closes the comparison for a resolved conflict. Activates the document if the comparison was
 * active.
 */
export async function closeComparison(document: vscode.TextDocument): Promise<void> {
  const theirs = revisionUri(document.uri, 'current').toString();
  const tabs = findDiffTabs(
    ({ original, modified }) =>
      original.toString() === theirs && modified.toString() === document.uri.toString(),
  );
  if (tabs.length === 0) return;
  if (tabs.some(({ isActive }) => isActive)) {
    await vscode.window.showTextDocument(document, { preview: false });
  }
  await vscode.window.tabGroups.close(tabs);
}

/** Finds the diff tabs whose input matches. */
export function findDiffTabs(isMatch: (input: vscode.TabInputTextDiff) => boolean): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputTextDiff && isMatch(input));
}
