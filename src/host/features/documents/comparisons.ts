import * as vscode from 'vscode';
import { revisionUri } from '../../platform/documentUris';

/**
 * Hides messages, which stay in the notification list. Otherwise, the message of a failed save
 * would cover the view that opens when the user clicks a link in that message.
 */
export async function hideToasts(): Promise<void> {
  await vscode.commands.executeCommand('notifications.hideToasts');
}

/**
 * Closes the comparison of a resolved conflict. Activates the document if the comparison was
 * active.
 */
export async function closeComparison(document: vscode.TextDocument): Promise<void> {
  const theirs = revisionUri(document.uri, 'current').toString();
  const tabs = findDiffTabs(
    ({ original, modified }) =>
      original.toString() === theirs && modified.toString() === document.uri.toString(),
  );
  if (tabs.length === 0) return;
  if (tabs.some(({ isActive }) => isActive)) {
    await vscode.window.showTextDocument(document, { preview: false });
  }
  await vscode.window.tabGroups.close(tabs);
}

/** Finds the tabs that compare two texts. */
export function findDiffTabs(isMatch: (input: vscode.TabInputTextDiff) => boolean): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputTextDiff && isMatch(input));
}
