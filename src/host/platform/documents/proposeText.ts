import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { findJsonProblems } from '../../../core/documents/jsonProblems';
import { replaceText } from './replaceText';

/**
 * Throws if a config contains problems that prevent saving it.
 * @throws FleetError `invalid`
 */
export function rejectInvalidConfig(document: vscode.TextDocument): void {
  if (findJsonProblems(document.getText(), 'text').length === 0) return;
  const message = vscode.l10n.t('Fix the errors in this config first (see the Problems view).');
  throw new FleetError('invalid', message);
}

/**
 * Replaces a document's text with an edit that the user can review and save. Shows the document
 * with the changes visible.
 */
export async function proposeText(document: vscode.TextDocument, text: string): Promise<void> {
  const changed = await replaceText(document, text);
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  if (!changed) return;
  editor.revealRange(changed, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
