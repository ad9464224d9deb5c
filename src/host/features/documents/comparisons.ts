import * as vscode from 'vscode';
import { revisionUri } from '../../platform/documentUris';

/**
 * Takes messages out of the way of what was chosen in one of them; they stay in the notification list.
 * A failed save's message would otherwise stand beside the result of its own link.
 */
export async function hideToasts(): Promise<void> {
  await vscode.commands.executeCommand('notifications.hideToasts');
}

/** Ends the comparison of a conflict that is over, and leaves the document in front if it was. */
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

/** Tabs that compare two texts of the wanted kind. */
export function findDiffTabs(wanted: (input: vscode.TabInputTextDiff) => boolean): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputTextDiff && wanted(input));
}
