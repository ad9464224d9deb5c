import * as vscode from 'vscode';
import type { CommandId } from '../../../manifest/commands';
import { CONFLICT_PROBLEM } from './saveMessages';

/**
 * Offers the recovery actions for a conflict as quick fixes of its entry in Problems, for keyboard
 * use.
 */
export class ConflictQuickFixProvider implements vscode.CodeActionProvider {
  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const conflict = diagnostics.find(({ code }) => code === CONFLICT_PROBLEM);
    if (!conflict) return [];
    return conflictChoices().map(({ label, command }) => {
      const action = new vscode.CodeAction(label, vscode.CodeActionKind.QuickFix);
      action.diagnostics = [conflict];
      action.command = { title: label, command, arguments: [document.uri] };
      return action;
    });
  }
}

/** Returns the recovery actions for a conflict. */
export function conflictChoices(): { label: string; detail: string; command: ConflictCommand }[] {
  return [
    {
      label: vscode.l10n.t('Compare with Remote Version'),
      detail: vscode.l10n.t('Compare the remote changes with your edits'),
      command: 'fleetwright.document.compare',
    },
    {
      label: vscode.l10n.t('Merge'),
      detail: vscode.l10n.t(
        'Combine both sets of changes and review the result before you save it',
      ),
      command: 'fleetwright.document.merge',
    },
    {
      label: vscode.l10n.t('Overwrite'),
      detail: vscode.l10n.t('Replace the remote version with yours'),
      command: 'fleetwright.document.overwrite',
    },
    {
      label: vscode.l10n.t('Reload'),
      detail: vscode.l10n.t(
        'Replace your edits with the remote version (use Undo to restore them)',
      ),
      command: 'fleetwright.document.reload',
    },
  ];
}

/** Commands that act on a document in conflict. */
export type ConflictCommand = Extract<
  CommandId,
  `fleetwright.document.${'compare' | 'merge' | 'overwrite' | 'reload'}`
>;
