import * as vscode from 'vscode';
import type { DocumentAddress } from '../../../core/documents/documentAddress';
import type { DocumentFile } from '../../../core/documents/documentFile';
import { presentJson } from '../../../core/documents/jsonText';
import { findResourcePlace } from '../../../core/documents/resourcePlace';
import { confirm } from '../../platform/prompts';
import type { SessionProvider } from '../../platform/sessionProvider';
import { fileNameOf, revisionUri } from '../../platform/documentUris';
import { replaceText } from '../../platform/replaceText';
import { closeComparison, hideToasts } from './comparisons';
import { describeLastEdit } from './lastEdit';
import { placeText } from '../../platform/placeText';
import type { RevisionContent } from './revisionContent';

/** A document in an editor, and what is known of it. */
export interface OpenDocument {
  readonly document: vscode.TextDocument;
  readonly file: DocumentFile;
  readonly address: DocumentAddress;
}

/** Compare, Overwrite and Reload: three of the four ways out of a conflict. */
export class ConflictResolver {
  constructor(
    private readonly sessions: SessionProvider,
    private readonly content: RevisionContent,
  ) {}

  /** Shows what the service holds beside the edits. */
  async compare({ document }: OpenDocument): Promise<void> {
    const theirs = revisionUri(document.uri, 'current');
    this.content.refresh(theirs);
    await hideToasts();
    const title = vscode.l10n.t('{0}: fleet ↔ yours', fileNameOf(document.uri));
    await vscode.commands.executeCommand('vscode.diff', theirs, document.uri, title);
  }

  /** Saves the edits in place of what somebody else wrote, once the person agreed to just that. */
  async overwrite({ document, file, address }: OpenDocument): Promise<void> {
    const theirs = await file.readNow();
    const place = await findResourcePlace(
      this.sessions.stores(address.connectionId),
      address.subject,
    );
    const lastEdit = await describeLastEdit(this.sessions, address);
    const kept =
      address.subject.type === 'partConfig' || address.subject.type === 'fragmentConfig'
        ? vscode.l10n.t('What it replaces stays in the history.')
        : vscode.l10n.t('What it replaces is lost: metadata has no history.');
    await confirm(
      vscode.l10n.t('Overwrite {0} with your version?', placeText(address.subject, place)),
      lastEdit === undefined ? kept : `${lastEdit}. ${kept}`,
      vscode.l10n.t('Overwrite'),
    );
    file.rebase(theirs);
    if (await document.save()) await closeComparison(document);
  }

  /** Puts what the service holds into the editor. Undo brings the edits back. */
  async reload({ document, file }: OpenDocument): Promise<void> {
    const theirs = await file.readNow();
    await replaceText(document, presentJson(theirs.text));
    file.rebase(theirs);
    // Saving what the service holds already makes no call that writes.
    if (await document.save()) await closeComparison(document);
  }
}
