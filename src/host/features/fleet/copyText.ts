import * as vscode from 'vscode';

const SHOWN_MS = 3_000;

/** Copies a text and says so in passing. */
export async function copyText(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Copied: {0}', text), SHOWN_MS);
}
