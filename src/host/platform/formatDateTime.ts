import * as vscode from 'vscode';

/**
 * Formats a timestamp to the minute, in the time zone of this computer and the locale of VS Code.
 */
export function formatDateTime(at: Date): string {
  return at.toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
}

/** Formats a timestamp to the second. */
export function formatDateTimeWithSeconds(at: Date): string {
  return at.toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'medium' });
}
