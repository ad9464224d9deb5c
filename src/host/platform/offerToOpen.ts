import * as vscode from 'vscode';

/** Tells that a file is written. */
export async function offerToOpen(target: vscode.Uri, message: string): Promise<void> {
  const open = vscode.l10n.t('Open');
  if ((await vscode.window.showInformationMessage(message, open)) !== open) return;
  await vscode.commands.executeCommand('vscode.open', target);
}
