import * as vscode from 'vscode';

/** Returns the title of a panel with the logs of these parts. */
export function panelTitle(names: readonly string[]): string {
  const [first, ...others] = names;
  if (first === undefined) return vscode.l10n.t('Logs');
  if (others.length === 0) return vscode.l10n.t('Logs: {0}', first);
  return vscode.l10n.t('Logs: {0} and {1} more', first, others.length);
}
