import { join } from 'node:path';
import * as vscode from 'vscode';
import { canceled } from '../../../core/api/errors';
import { askOne } from '../../platform/prompts';
import { quickText } from '../../platform/quickText';

interface FolderItem extends vscode.QuickPickItem {
  /** Absent for choosing another one. */
  readonly folder?: string;
}

/** Asks for the folder, on this machine, in which that of a new module is made. Throws `canceled`. */
export async function askParentFolder(moduleName: string): Promise<string> {
  const items = folderItems(moduleName);
  const title = vscode.l10n.t('Generate Module');
  if (items.length === 1) return browse(title);
  const placeholder = vscode.l10n.t('Where the folder of the module is made');
  return (await askOne(items, { title, placeholder })).folder ?? browse(title);
}

function folderItems(moduleName: string): readonly FolderItem[] {
  const open = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return [
    ...open.map(({ name, uri }) => ({
      label: quickText(name),
      detail: quickText(join(uri.fsPath, moduleName)),
      iconPath: new vscode.ThemeIcon('folder'),
      folder: uri.fsPath,
    })),
    {
      label: vscode.l10n.t('Choose Another Folder…'),
      iconPath: new vscode.ThemeIcon('folder-opened'),
    },
  ];
}

async function browse(title: string): Promise<string> {
  const [chosen] =
    (await vscode.window.showOpenDialog({
      title,
      openLabel: vscode.l10n.t('Generate Here'),
      canSelectFiles: false,
      canSelectFolders: true,
      canSelectMany: false,
    })) ?? [];
  if (chosen) return chosen.fsPath;
  throw canceled();
}
