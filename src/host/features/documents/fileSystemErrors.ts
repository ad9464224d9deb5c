import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';

/**
 * Creates the error for a failed save. VS Code prefixes the message with its own text, the URI, and
 * the name of the error, so omitting the name makes the message shorter. The message can contain
 * our command links, so text from the fleet must first be passed through `plainText`.
 */
export function saveError(error: unknown, message: string): vscode.FileSystemError {
  const failure = fileSystemError(error, message);
  failure.name = '';
  return failure;
}

/**
 * Creates the error for a failed read. The error lets VS Code distinguish missing files from
 * unreachable files.
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

/**
 * Removes patterns that VS Code would turn into links: `[label](command:…)` in text from the fleet.
 */
export function escapeLinks(text: string): string {
  return text.replaceAll('[', '(').replaceAll(']', ')').replace(/\s+/g, ' ');
}

/** Formats a link for a VS Code message that runs one of our commands. */
export function commandLink(label: string, command: string, argument: number): string {
  return `[${escapeLinks(label)}](command:${command}?${encodeURIComponent(JSON.stringify([argument]))})`;
}
