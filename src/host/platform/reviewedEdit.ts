import * as vscode from 'vscode';
import { FleetError } from '../../core/api/errors';
import { findJsonProblems } from '../../core/documents/jsonProblems';
import { replaceText } from './replaceText';

/** @throws FleetError `invalid` while a config holds what keeps it from being saved. */
export function refuseBroken(document: vscode.TextDocument): void {
  if (findJsonProblems(document.getText(), 'text').length === 0) return;
  const message = vscode.l10n.t('Fix the errors in this config first (see the Problems view).');
  throw new FleetError('invalid', message);
}

/**
 * Makes a document say `text` as an edit that the person reviews and saves, and brings it to the front with
 * what is new in sight.
 */
export async function proposeText(document: vscode.TextDocument, text: string): Promise<void> {
  const changed = await replaceText(document, text);
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  if (!changed) return;
  editor.revealRange(changed, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
