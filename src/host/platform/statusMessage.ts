import * as vscode from 'vscode';
import { displayText } from '../../core/model/displayText';
import { escapeIcons } from './quickText';

const SHOWN_MS = 4_000;

/** Says in passing, in the status bar, that something was done. */
export function showStatusMessage(message: string): void {
  vscode.window.setStatusBarMessage(escapeIcons(message), SHOWN_MS);
}

/** Copies a text that is no secret, and says so in passing. */
export async function copyText(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  showStatusMessage(vscode.l10n.t('Copied: {0}', displayText(text)));
}
