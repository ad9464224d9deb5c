import * as vscode from 'vscode';

/** Reports that a file was written and offers to open it. */
export async function offerToOpen(target: vscode.Uri, message: string): Promise<void> {
  const open = vscode.l10n.t('Open');
  if ((await vscode.window.showInformationMessage(message, open)) !== open) return;
  await vscode.commands.executeCommand('vscode.open', target);
}
