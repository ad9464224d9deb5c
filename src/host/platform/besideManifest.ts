import * as vscode from 'vscode';
import { readBeside as readBesideFolder } from '../../archives/readBeside';

/** Reads text files in the folder of a manifest, and nothing outside of it. @param folder on this machine */
export function readBeside(folder: vscode.Uri): (path: string) => Promise<string> {
  return readBesideFolder(folder.fsPath, vscode.l10n);
}
