import * as vscode from 'vscode';

/**
 * Formats a timestamp to the minute, in the time zone of this computer and the locale of VS Code.
 */
export function momentText(at: Date): string {
  return at.toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
}

/** Formats a timestamp to the second. */
export function secondText(at: Date): string {
  return at.toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'medium' });
}
