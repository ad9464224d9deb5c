import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';

/**
 * Makes the error that VS Code shows for a file. The message may hold command links of ours; what comes
 * from the fleet must have gone through `plainText`.
 */
export function fileSystemError(error: unknown, message: string): vscode.FileSystemError {
  const kind = error instanceof FleetError ? error.kind : undefined;
  switch (kind) {
    case 'notFound':
      return vscode.FileSystemError.FileNotFound(message);
    case 'permission':
    case 'unauthenticated':
      return vscode.FileSystemError.NoPermissions(message);
    default:
      return vscode.FileSystemError.Unavailable(message);
  }
}

/** VS Code turns `[label](command:…)` in messages into links; text of other people must not make any. */
export function plainText(text: string): string {
  return text.replaceAll('[', '(').replaceAll(']', ')').replace(/\s+/g, ' ');
}

/** A link in a message of VS Code that runs one of our commands. */
export function commandLink(label: string, command: string, argument: number): string {
  return `[${plainText(label)}](command:${command}?${encodeURIComponent(JSON.stringify([argument]))})`;
}
