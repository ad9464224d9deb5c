import * as vscode from 'vscode';
import type { DocumentAddress } from '../../../core/documents/documentAddress';
import type { DocumentFile } from '../../../core/documents/documentFile';
import { presentJson } from '../../../core/documents/jsonText';
import { findResourcePath } from '../../../core/documents/resourcePath';
import { confirm } from '../../platform/prompts';
import type { SessionProvider } from '../../platform/sessionProvider';
import { getFileName, revisionUri } from '../../platform/documentUris';
import { replaceText } from '../../platform/replaceText';
import { closeComparison, hideToasts } from './comparisons';
import { findLastEdit, formatLastEdit } from './lastEdit';
import { describeDocument } from '../../platform/describeDocument';
import type { RevisionContent } from './revisionContent';

/** A document in an editor, and its file. */
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

  /** Overwrites another user's change with the edits after the user has confirmed this action. */
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
