import * as vscode from 'vscode';
import { createSiblingReader as readBesideFolder } from '../../archives/createSiblingReader';

/**
 * Returns a reader for text files in a manifest's folder, and for nothing outside of it. @param
 * folder on this computer
 */
export function readBeside(folder: vscode.Uri): (path: string) => Promise<string> {
  return readBesideFolder(folder.fsPath, vscode.l10n);
}
