import * as vscode from 'vscode';

/** A moment to the minute, in the time zone of this machine and the language of VS Code. */
export function momentText(at: Date): string {
  return at.toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
}

/** The same to the second. */
export function secondText(at: Date): string {
  return at.toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'medium' });
}
