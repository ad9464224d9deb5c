import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import type { DocumentAddress } from '../../../core/documents/documentAddress';
import { findDocumentTarget, findResourcePath } from '../../../core/documents/documentResource';
import { createHistorySource } from '../../../core/documents/documentSources';
import { findJsonChanges, presentJson } from '../../../core/documents/jsonText';
import { findReplacedState } from '../../../core/documents/revisionList';
import type { RevisionArgument } from '../../../manifest/commandArguments';
import { describeDocument } from '../../platform/documents/describeDocument';
import { getFileName, revisionUri } from '../../platform/documents/documentUris';
import { replaceText } from '../../platform/documents/replaceText';
import { requireRight } from '../../platform/permissions/requireRight';
import { confirm } from '../../platform/prompts/prompts';
import type { SessionProvider } from '../../platform/sessionProvider';
import type { DocumentOpener } from './documentOpener';
import type { RevisionContent } from './revisionContent';

/** Compares and restores versions of documents. */
export class RevisionActions {
  constructor(
    private readonly sessions: SessionProvider,
    private readonly opener: DocumentOpener,
    private readonly content: RevisionContent,
  ) {}

  /**
   * Compares a version with the current document, so that the user can revert individual changes.
   */
  async compare(
    address: DocumentAddress,
    older: RevisionArgument,
    newer: RevisionArgument,
  ): Promise<void> {
    const uri = await this.opener.getUri(address);
    const left = revisionUri(uri, older.key);
    const right = newer.key === 'current' ? uri : revisionUri(uri, newer.key);
    this.content.refresh(left);
    const title = `${getFileName(uri)}: ${older.label} ↔ ${newer.label}`;
    await vscode.commands.executeCommand('vscode.diff', left, right, title);
  }

  /**
   * Replaces the text in the editor with an old version, and saves it with the same checks as any
   * edit.
   */
  async restore(address: DocumentAddress, revision: RevisionArgument): Promise<void> {
    if (revision.key === 'current') return;
    const stores = this.sessions.stores(address.connectionId);
    const target = await findDocumentTarget(stores, address);
    if (target) await requireRight(stores, target, 'administer');
    const history = createHistorySource(stores, address.subject);
    const [state, place] = await Promise.all([
      history && findReplacedState(history, revision.key),
      findResourcePath(stores, address.subject),
    ]);
    if (!state) {
      throw new FleetError('notFound', vscode.l10n.t('The service no longer has this version.'));
    }
    const open = await this.opener.show(address);
    if (open.document.isDirty) {
      throw new FleetError(
        'invalid',
        vscode.l10n.t(
          '{0} has unsaved edits. Save or discard them first.',
          getFileName(open.document.uri),
        ),
      );
    }
    const text = presentJson(state.configText);
    const replaced = open.document.getText();
    const count = findJsonChanges(replaced, text)?.length ?? 0;
    await confirm(
      vscode.l10n.t('Restore {0}?', describeDocument(address.subject, place)),
      formatRestore(revision, count),
      vscode.l10n.t('Restore'),
    );
    // VS Code reloads a document without edits, even during the confirmation.
    if (open.document.getText() !== replaced) {
      const name = getFileName(open.document.uri);
      throw new FleetError(
        'conflict',
        vscode.l10n.t(
          '{0} changed in the meantime. Review it, then restore the version again.',
          name,
        ),
      );
    }
    await replaceText(open.document, text);
    await open.document.save();
  }
}

/** Formats the effect of restoring a version. @param count number of changes */
function formatRestore({ time }: RevisionArgument, count: number): string {
  if (time === undefined) {
    return count === 1
      ? vscode.l10n.t(
          'Restoring the first version makes 1 change. The current version remains in the history.',
        )
      : vscode.l10n.t(
          'Restoring the first version makes {0} changes. The current version remains in the history.',
          count,
        );
  }
  return count === 1
    ? vscode.l10n.t(
        'Restoring the version from {0} makes 1 change. The current version remains in the history.',
        time,
      )
    : vscode.l10n.t(
        'Restoring the version from {0} makes {1} changes. The current version remains in the history.',
        time,
        count,
      );
}
