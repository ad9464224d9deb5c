import * as vscode from 'vscode';
import { createSiblingReader as readBesideFolder } from '../../archives/createSiblingReader';

/**
 * Returns a function that reads text files in a manifest's folder, but no files outside of it.
 * @param folder folder on this computer
 */
export function createModuleFileReader(folder: vscode.Uri): (path: string) => Promise<string> {
  return readBesideFolder(folder.fsPath, vscode.l10n);
}
