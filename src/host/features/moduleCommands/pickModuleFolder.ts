import * as vscode from 'vscode';
import { canceled } from '../../../core/api/errors';
import { toDisplayText } from '../../../core/model/toDisplayText';
import { MANIFEST_NAME } from '../../../core/modules/manifest/moduleManifest';
import { findManifests, getModuleFolder } from '../../platform/moduleManifests';
import { pickOne } from '../../platform/prompts';
import { escapeIcons, toQuickPickText } from '../../platform/toQuickPickText';

interface FolderItem extends vscode.QuickPickItem {
  /** Absent for the item that lets the user select another folder. */
  readonly folder?: vscode.Uri;
}

/**
 * Prompts for the folder of a module: a workspace folder or any other folder.
 * @returns the folder for the module's manifest
 */
export async function pickModuleFolder(): Promise<vscode.Uri> {
  const title = vscode.l10n.t('Register Module');
  const { folder } = await pickOne(folderItems(), {
    title,
    placeholder: vscode.l10n.t('Folder in which to create the module manifest'),
  });
  return vscode.Uri.joinPath(folder ?? (await browse(title)), MANIFEST_NAME);
}

async function folderItems(): Promise<readonly FolderItem[]> {
  const found = await findManifests();
  const withManifest = found.map(({ uri, manifest }) => ({
    ...item(getModuleFolder(uri)),
    description: manifest.moduleId
      ? vscode.l10n.t('has the manifest of {0}', escapeIcons(toDisplayText(manifest.moduleId)))
      : vscode.l10n.t('has a manifest without a module ID'),
  }));
  const known = new Set(withManifest.map(({ folder }) => folder.toString()));
  const others = (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => !known.has(uri.toString()))
    .map(({ uri }) => item(uri));
  return [
    ...others,
    ...withManifest,
    {
      label: vscode.l10n.t('Select Another Folder…'),
      iconPath: new vscode.ThemeIcon('folder-opened'),
    },
  ];
}

function item(folder: vscode.Uri) {
  return {
    label: toQuickPickText(folder.path.split('/').at(-1) || folder.path),
    detail: toQuickPickText(folder.scheme === 'file' ? folder.fsPath : folder.toString(true)),
    iconPath: new vscode.ThemeIcon('folder'),
    folder,
  };
}

async function browse(title: string): Promise<vscode.Uri> {
  const [chosen] =
    (await vscode.window.showOpenDialog({
      title,
      openLabel: vscode.l10n.t('Register Module Here'),
      canSelectFiles: false,
      canSelectFolders: true,
      canSelectMany: false,
    })) ?? [];
  if (chosen) return chosen;
  throw canceled();
}
