import * as vscode from 'vscode';
import type { CommandId } from '../../../manifest/commands';
import { CONFLICT_PROBLEM } from './saveMessages';

/** Offers the ways out of a conflict at its entry in Problems, for people who work by keyboard. */
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

/** The ways out of a conflict. */
export function conflictChoices(): { label: string; detail: string; command: ConflictCommand }[] {
  return [
    {
      label: vscode.l10n.t('Compare with the Fleet'),
      detail: vscode.l10n.t('See what was changed elsewhere beside your edits'),
      command: 'fleetwright.document.compare',
    },
    {
      label: vscode.l10n.t('Merge'),
      detail: vscode.l10n.t('Take both changes; you see the result before it is saved'),
      command: 'fleetwright.document.merge',
    },
    {
      label: vscode.l10n.t('Overwrite'),
      detail: vscode.l10n.t('Save your version in place of the other one'),
      command: 'fleetwright.document.overwrite',
    },
    {
      label: vscode.l10n.t('Reload'),
      detail: vscode.l10n.t('Take the version of the fleet; Undo brings your edits back'),
      command: 'fleetwright.document.reload',
    },
  ];
}

/** Commands that act on a document in conflict. */
export type ConflictCommand = Extract<
  CommandId,
  `fleetwright.document.${'compare' | 'merge' | 'overwrite' | 'reload'}`
>;
