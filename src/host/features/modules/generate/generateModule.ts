import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { canceled, FleetError, toFleetError } from '../../../../core/api/errors';
import {
  type GeneratedFile,
  getModelSource,
  type ModuleChoices,
  moduleFiles,
} from '../../../../core/modules/generate/moduleFiles';
import { MANIFEST_NAME } from '../../../../core/modules/manifest/moduleManifest';
import type { FleetTools } from '../../../platform/fleetTools';
import { pickKind, readTemplates } from './pickKind';
import { writeFolder } from './writeFolder';
import { moduleNameProblem } from '../../../../core/modules/moduleNames';
import type { ModuleApi } from '../../../../core/modules/generate/moduleApi';
import { promptForSteps } from '../../../platform/prompts/promptSteps';
import { toModuleNameProblem } from '../../../platform/text/nameProblems';
import {
  inputError,
  type InputProblem,
  pickOne,
  promptForText,
} from '../../../platform/prompts/prompts';
import { namespaceProblem } from '../../../../core/stores/namespaceCheck';
import { getNames } from '../../../../core/model/resourceName';
import { resolveTarget } from '../../../platform/prompts/resolveTarget';
import { toQuickPickText } from '../../../platform/text/displayText';

export interface GenerateTools extends FleetTools {
  readonly extensionUri: vscode.Uri;
}

/**
 * Creates a new module's folder from a template, shows the code to complete, and offers to register
 * the module. Doesn't run any code. Throws `canceled`, and `conflict` if the folder isn't empty.
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

/** Names of a module and its model. */
export interface ModuleNames {
  readonly moduleName: string;
  readonly modelName: string;
}

/** Prompts for the names of a module and its model. Throws `canceled`. */
async function promptForNames(namespace: string, api: ModuleApi): Promise<ModuleNames> {
  const title = vscode.l10n.t('Create Module Project');
  const [moduleName = '', modelName = ''] = await promptForSteps([
    () => ({
      title,
      prompt: vscode.l10n.t(
        'Name of the module and its folder. The module ID begins with {0}',
        `${namespace}:`,
      ),
      validate: nameProblem,
    }),
    ([module = '']) => ({
      title,
      prompt: vscode.l10n.t(
        'Name of the model. In machine configs, it begins with {0}',
        `${namespace}:${module}:`,
      ),
      value: api.key.toLowerCase(),
      validate: nameProblem,
      leadsToBox: true,
    }),
  ]);
  return { moduleName, modelName };
}

function nameProblem(text: string): InputProblem | undefined {
  const problem = moduleNameProblem(text.trim(), new Set());
  return problem === 'taken' ? undefined : toModuleNameProblem(problem);
}

/** Owner of a generated module. */
export interface ModuleOwner {
  /** Prefix of the module's ID and its models. */
  readonly namespace: string;
  /** Names that the organization has already registered. */
  readonly registered: ReadonlySet<string>;
}

/**
 * Prompts for a new module's organization. If no connection is signed in, prompts for its namespace
 * instead, because generating a module doesn't require a service. Throws `canceled`.
 */
async function pickOwner(tools: FleetTools): Promise<ModuleOwner> {
  if (!tools.sessions.active) {
    return { namespace: await promptForNamespace(), registered: new Set() };
  }
  const { target, stores } = await resolveTarget(tools, 'organization', undefined);
  const { organizationId: id } = target;
  const [organization, items] = await Promise.all([
    stores.organizations.get(id),
    stores.registry.list(id),
  ]);
  return {
    namespace: organization.publicNamespace || id,
    registered: new Set(getNames(items)),
  };
}

async function promptForNamespace(): Promise<string> {
  const namespace = await promptForText({
    title: vscode.l10n.t('Create Module Project'),
    prompt: vscode.l10n.t(
      'Namespace of the organization that will own the module. Sign in to select it from a list.',
    ),
    leadsToBox: true,
    validate: (value) => {
      switch (namespaceProblem(value.trim())) {
        case undefined:
          return undefined;
        case 'empty':
          return { message: vscode.l10n.t('Enter a namespace.'), severity: 'incomplete' };
        case 'characters':
          return inputError(
            vscode.l10n.t('A namespace can contain only lowercase letters, digits, and dashes.'),
          );
      }
    },
  });
  return namespace.trim();
}

interface FolderItem extends vscode.QuickPickItem {
  /** Absent for the item that lets the user select another folder. */
  readonly folder?: string;
}

/** Prompts for a new module's parent folder on this computer. Throws `canceled`. */
export async function pickParentFolder(moduleName: string): Promise<string> {
  const items = await folderItems(moduleName);
  const title = vscode.l10n.t('Create Module Project');
  if (items.length === 1) return browse(title);
  const placeholder = vscode.l10n.t('Parent folder for the new module folder');
  return (await pickOne(items, { title, placeholder })).folder ?? browse(title);
}

/**
 * If a workspace folder is itself a module, lists its parent folder first, because modules are
 * rarely nested in other modules.
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
