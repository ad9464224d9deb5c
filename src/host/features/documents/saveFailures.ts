import * as vscode from 'vscode';
import { SaveConflictError } from '../../../core/documents/saveErrors';
import type { CommandId } from '../../../manifest/commands';
import type { SessionProvider } from '../../platform/sessionProvider';
import type { ConflictNumbers } from './conflictNumbers';
import type { DocumentProblems } from './documentProblems';
import { addressOf } from '../../platform/documentUris';
import { commandLink, plainText } from './fileSystemErrors';
import type { SaveFailureReporter } from './fleetFileSystem';
import { describeLastEdit } from './lastEdit';
import { saveFailureMessage, saveProblems } from './saveMessages';

/**
 * Says why a save failed, once: VS Code shows a message of its own for every failed save, so ours is its
 * text, with links for a conflict, and there is no second dialog.
 */
export class SaveFailures implements SaveFailureReporter {
  constructor(
    private readonly sessions: SessionProvider,
    private readonly problems: DocumentProblems,
    private readonly numbers: ConflictNumbers,
  ) {}

  async report(uri: vscode.Uri, text: string, error: unknown): Promise<string> {
    const conflict = error instanceof SaveConflictError;
    const address = conflict ? addressOf(uri) : undefined;
    const lastEdit = address && (await describeLastEdit(this.sessions, address));
    const message = plainText(saveFailureMessage(error, lastEdit));
    this.problems.show(uri, text, saveProblems(error, text, message));
    return conflict ? `${message} ${this.links(uri, error)}` : message;
  }

  clear(uri: vscode.Uri): void {
    this.problems.clear(uri);
  }

  private links(uri: vscode.Uri, { base }: SaveConflictError): string {
    const number = this.numbers.numberOf(uri);
    const link = (label: string, command: CommandId): string => commandLink(label, command, number);
    const links = [
      link(vscode.l10n.t('Compare'), 'fleetwright.document.compare'),
      ...(base ? [link(vscode.l10n.t('Merge'), 'fleetwright.document.merge')] : []),
      link(vscode.l10n.t('Overwrite'), 'fleetwright.document.overwrite'),
      link(vscode.l10n.t('Reload'), 'fleetwright.document.reload'),
    ];
    return links.join(' | ');
  }
}
