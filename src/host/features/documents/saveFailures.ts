import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { ContentMismatchError, SaveConflictError } from '../../../core/documents/saveErrors';
import type { CommandId } from '../../../manifest/commands';
import type { SessionProvider } from '../../platform/sessionProvider';
import type { ConflictNumbers } from './conflictNumbers';
import type { DocumentProblems } from './documentProblems';
import { parseDocumentAddress, getFileName } from '../../platform/documentUris';
import { commandLink, escapeLinks } from './fileSystemErrors';
import type { SaveFailureReporter } from './fleetFileSystem';
import { findLastEdit, type LastEdit } from './lastEdit';
import { formatSaveFailure, toSaveProblems } from './saveMessages';

/**
 * Kinds of errors after which another save might never succeed, so that only a copy preserves the
 * edits.
 */
const STUCK_KINDS: ReadonlySet<FleetError['kind']> = new Set(['notFound', 'unauthenticated']);

/**
 * Reports once why a save failed. VS Code shows a message for every failed save, so our text, with
 * links for a conflict, becomes the text of that message instead of a second dialog.
 */
export class SaveFailures implements SaveFailureReporter {
  constructor(
    private readonly sessions: SessionProvider,
    private readonly problems: DocumentProblems,
    private readonly numbers: ConflictNumbers,
  ) {}

  async report(uri: vscode.Uri, text: string, error: unknown): Promise<string> {
    const isConflict = error instanceof SaveConflictError;
    const lastEdit = isConflict ? await this.findLastEdit(uri, error) : undefined;
    const message = escapeLinks(formatSaveFailure(error, text, lastEdit));
    this.problems.show(uri, text, toSaveProblems(error, text, message));
    if (isConflict) return `${message} ${this.conflictLinks(uri, error)}`;
    if (error instanceof ContentMismatchError) {
      const compare = vscode.l10n.t('Compare');
      return `${message} ${this.link(uri, compare, 'fleetwright.document.compare')}`;
    }
    // Signing in with another API key doesn't assign the document to that key.
    const isStuck = error instanceof FleetError && STUCK_KINDS.has(error.kind);
    if (!isStuck) return message;
    const label = vscode.l10n.t('Save a Copy');
    return `${message} ${this.link(uri, label, 'fleetwright.document.saveCopy')}`;
  }

  /** Warns that the service stored the values in another form, which the editor will show. */
  warnOfDifference(uri: vscode.Uri): void {
    const message = vscode.l10n.t(
      'Saved "{0}", but the service changed the order of keys or the digits of numbers. The editor now shows the stored version.',
      getFileName(uri),
    );
    void vscode.window.showWarningMessage(message);
  }

  clear(uri: vscode.Uri): void {
    this.problems.clear(uri);
  }

  private async findLastEdit(
    uri: vscode.Uri,
    { remote }: SaveConflictError,
  ): Promise<LastEdit | undefined> {
    const address = parseDocumentAddress(uri);
    return address && findLastEdit(this.sessions, address, remote.text);
  }

  private conflictLinks(uri: vscode.Uri, { base }: SaveConflictError): string {
    const links = [
      this.link(uri, vscode.l10n.t('Compare'), 'fleetwright.document.compare'),
      ...(base ? [this.link(uri, vscode.l10n.t('Merge'), 'fleetwright.document.merge')] : []),
      this.link(uri, vscode.l10n.t('Overwrite'), 'fleetwright.document.overwrite'),
      this.link(uri, vscode.l10n.t('Reload'), 'fleetwright.document.reload'),
    ];
    return links.join(' | ');
  }

  private link(uri: vscode.Uri, label: string, command: CommandId): string {
    return commandLink(label, command, this.numbers.getNumber(uri));
  }
}
