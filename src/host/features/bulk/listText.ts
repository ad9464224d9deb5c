import * as vscode from 'vscode';

/** Phrases put together as people say them: `a, b and c`. */
export function listText(phrases: readonly string[]): string {
  return new Intl.ListFormat(vscode.env.language, { type: 'conjunction' }).format(phrases);
}
