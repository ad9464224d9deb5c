import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';

/**
 * The error of a failed save. VS Code puts its own words and the URI in front of the message, and the
 * name of the error too; without a name the sentence is as short as it can be. The message can hold
 * command links of ours; text from the fleet must have gone through `plainText`.
 */
export function saveError(error: unknown, message: string): vscode.FileSystemError {
  const failure = fileSystemError(error, message);
  failure.name = '';
  return failure;
}

/** The error of a failed read, by which VS Code tells a missing file from one it cannot reach. */
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

/** VS Code turns `[label](command:…)` in messages into links; text from the fleet must not make any. */
export function plainText(text: string): string {
  return text.replaceAll('[', '(').replaceAll(']', ')').replace(/\s+/g, ' ');
}

/** A link in a message of VS Code that runs one of our commands. */
export function commandLink(label: string, command: string, argument: number): string {
  return `[${plainText(label)}](command:${command}?${encodeURIComponent(JSON.stringify([argument]))})`;
}
