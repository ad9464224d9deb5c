import { join } from 'node:path';
import * as vscode from 'vscode';
import { FleetError, toFleetError } from '../../../core/api/errors';
import type { ModuleChoices } from '../../../core/modules/generate/moduleChoices';
import {
  type GeneratedFile,
  getModelSource,
  moduleFiles,
} from '../../../core/modules/generate/moduleFiles';
import { MANIFEST_NAME } from '../../../core/modules/manifest/moduleManifest';
import type { FleetTools } from '../../platform/fleetTools';
import { pickKind } from './pickKind';
import { promptForNames } from './promptForNames';
import { pickOwner } from './pickOwner';
import { pickParentFolder } from './pickParentFolder';
import { readTemplates } from './readTemplates';
import { writeFolder } from './writeFolder';

export interface GenerateTools extends FleetTools {
  readonly extensionUri: vscode.Uri;
}

/**
 * Creates the folder of a new module from a template, shows the code to complete, and offers to
 * register the module. Doesn't run any code. Throws `canceled`, and `conflict` if the folder isn't
 * empty.
 */
export async function generateModule(tools: GenerateTools): Promise<void> {
  const owner = await pickOwner(tools);
  const kind = await pickKind();
  const names = await promptForNames(owner.namespace, kind.api);
  const choices: ModuleChoices = { namespace: owner.namespace, ...names, ...kind };
  const folder = join(await pickParentFolder(names.moduleName), names.moduleName);
  const templates = await readTemplates(tools.extensionUri.fsPath, kind.language);
  await make(folder, moduleFiles(choices, templates));
  await showModel(folder, choices);
  await offerNext(tools, folder, owner.registered.has(names.moduleName));
}

async function make(folder: string, files: readonly GeneratedFile[]): Promise<void> {
  const isMade = await writeFolder(folder, files).catch((cause: unknown) => {
    const { message } = toFleetError(cause);
    throw new FleetError('invalid', vscode.l10n.t("Couldn't create {0}: {1}", folder, message), {
      cause,
    });
  });
  if (isMade) return;
  throw new FleetError(
    'conflict',
    vscode.l10n.t(
      '{0} already exists, so nothing was written. Select another name or folder.',
      folder,
    ),
  );
}

async function showModel(folder: string, choices: ModuleChoices): Promise<void> {
  const file = join(folder, getModelSource(choices));
  await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
}

async function offerNext(
  { commands }: GenerateTools,
  folder: string,
  isRegistered: boolean,
): Promise<void> {
  const uri = vscode.Uri.file(folder);
  const register = vscode.l10n.t('Register Module');
  const readme = vscode.l10n.t('Open README');
  const open = vscode.l10n.t('Open Folder');
  const isInWorkspace = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('Generated the module in {0}. Its README explains how to build it.', folder),
    ...(isRegistered ? [] : [register]),
    readme,
    ...(isInWorkspace ? [] : [open]),
  );
  if (chosen === register) {
    const manifest = vscode.Uri.joinPath(uri, MANIFEST_NAME);
    await commands.execute('fleetwright.module.create', manifest);
  }
  if (chosen === readme) {
    const page = vscode.Uri.joinPath(uri, 'README.md');
    await vscode.commands.executeCommand('markdown.showPreview', page);
  }
  if (chosen === open) {
    await vscode.commands.executeCommand('vscode.openFolder', uri, { forceNewWindow: true });
  }
}
