import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { canceled } from '../../../core/api/errors';
import { MANIFEST_NAME } from '../../../core/modules/manifest/moduleManifest';
import { pickOne } from '../../platform/prompts';
import { toQuickPickText } from '../../platform/toQuickPickText';

interface FolderItem extends vscode.QuickPickItem {
  /** Absent for the item that lets the user select another folder. */
  readonly folder?: string;
}

/** Prompts for the parent folder of a new module on this computer. Throws `canceled`. */
export async function pickParentFolder(moduleName: string): Promise<string> {
  const items = await folderItems(moduleName);
  const title = vscode.l10n.t('Create Module Project');
  if (items.length === 1) return browse(title);
  const placeholder = vscode.l10n.t('Parent folder for the new module folder');
  return (await pickOne(items, { title, placeholder })).folder ?? browse(title);
}

/**
 * If a workspace folder is itself a module, lists its parent folder first, because modules are
 * rarely nested.
 */
async function folderItems(moduleName: string): Promise<readonly FolderItem[]> {
  const open = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const areModules = await Promise.all(open.map(({ uri }) => isModule(uri)));
  const plain = open.filter((_, index) => !areModules[index]);
  const modules = open.filter((_, index) => areModules[index]);
  const item = (label: string, folder: string): FolderItem => ({
    label: toQuickPickText(label),
    detail: toQuickPickText(join(folder, moduleName)),
    iconPath: new vscode.ThemeIcon('folder'),
    folder,
  });
  const around = new Set(modules.map(({ uri }) => dirname(uri.fsPath)));
  for (const { uri } of plain) around.delete(uri.fsPath);
  return [
    ...plain.map(({ name, uri }) => item(name, uri.fsPath)),
    ...[...around].map((folder) => item(basename(folder) || folder, folder)),
    ...modules.map(({ name, uri }) => ({
      ...item(name, uri.fsPath),
      description: vscode.l10n.t('inside another module'),
    })),
    {
      label: vscode.l10n.t('Select Another Folder…'),
      iconPath: new vscode.ThemeIcon('folder-opened'),
    },
  ];
}

async function isModule(folder: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, MANIFEST_NAME));
    return true;
  } catch {
    return false;
  }
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
