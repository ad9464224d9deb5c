import * as vscode from 'vscode';
import { toDisplayText } from '../../../core/model/displayText';
import { escapeIcons } from '../text/displayText';

const SHOWN_MS = 4_000;

/** Shows a temporary message in the status bar. */
export function showStatusMessage(message: string): void {
  vscode.window.setStatusBarMessage(escapeIcons(message), SHOWN_MS);
}

/** Copies nonsecret text, and shows a temporary message. */
export async function copyText(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  showStatusMessage(vscode.l10n.t('Copied: {0}', toDisplayText(text)));
}
