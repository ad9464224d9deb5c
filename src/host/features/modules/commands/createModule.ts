import * as vscode from 'vscode';
import { completeAfterCancel } from '../../../../base/abandonAfterAbort';
import { canceled, FleetError, toFleetError } from '../../../../core/api/errors';
import { toDisplayText } from '../../../../core/model/displayText';
import type { RegistryItemId } from '../../../../core/model/ids';
import {
  isTargetOf,
  type OrganizationTarget,
  type RegistryItemTarget,
} from '../../../../core/model/resourceTarget';
import { getNames } from '../../../../core/model/resourceName';
import {
  moduleNameProblem,
  type ModuleNameProblem,
  splitModuleId,
  suggestedModuleName,
} from '../../../../core/modules/moduleNames';
import { registeredManifest } from '../../../../core/modules/manifest/registeredManifest';
import { MANIFEST_NAME } from '../../../../core/modules/manifest/moduleManifest';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import type { FleetTools } from '../../../platform/fleetTools';
import {
  findManifests,
  getModuleFolder,
  readManifestFile,
} from '../../../platform/modules/moduleManifests';
import { toModuleNameProblem } from '../../../platform/text/nameProblems';
import {
  inputError,
  type InputProblem,
  pickOne,
  promptForText,
} from '../../../platform/prompts/prompts';
import { replaceText } from '../../../platform/documents/replaceText';
import { requireConnection } from '../../../platform/sessionProvider';
import { requireRight } from '../../../platform/permissions/requireRight';
import { offerToShow } from './offerToShow';
import { escapeIcons, toQuickPickText } from '../../../platform/text/displayText';

/**
 * Registers a module and writes its ID to a manifest. The manifest is either a new one in a folder
 * that the user selects, or an existing one, whose ID is the default. Throws `canceled`.
 *
 * @param argument manifest for a module that is not registered yet, or the organization that will own
 *   the module
 */
export async function createModule(tools: FleetTools, argument: object | undefined): Promise<void> {
  const manifest = argument instanceof vscode.Uri ? argument : await pickModuleFolder();
  const present = await existing(manifest);
  const offered = splitModuleId(present?.manifest.moduleId ?? '');
  const target = isTargetOf('organization', argument)
    ? argument
    : await findOrPickOrganization(tools, offered.owner);
  const stores = tools.sessions.stores(target.connectionId);
  await requireRight(stores, target, 'administer');
  const name = offered.name || suggestedModuleName(getFolderName(manifest));
  const id = await register(stores, target, name);
  await writeDown(manifest, present?.text, id);
  const { organizationId, connectionId } = target;
  const created: RegistryItemTarget = {
    kind: 'registryItem',
    itemType: 'module',
    connectionId,
    organizationId,
    itemId: id,
    name: splitModuleId(id).name,
  };
  const message = vscode.l10n.t(
    'Created {0}. It is private and has no versions until you upload a build.',
    toDisplayText(id),
  );
  void offerToShow(tools, created, message);
}

async function existing(manifest: vscode.Uri) {
  try {
    return await readManifestFile(manifest);
  } catch (error) {
    if (toFleetError(error).kind === 'notFound') return undefined;
    throw error;
  }
}

/** Returns the organization that the ID in a manifest specifies, or prompts for one. */
async function findOrPickOrganization(
  { sessions, pickTarget }: FleetTools,
  owner: string,
): Promise<OrganizationTarget> {
  const { id: connectionId } = requireConnection(sessions);
  const organizations = await sessions.stores(connectionId).organizations.list();
  const own = organizations.find(
    ({ id, publicNamespace }) => owner !== '' && (publicNamespace === owner || id === owner),
  );
  return own
    ? { kind: 'organization', connectionId, organizationId: own.id, name: own.name }
    : pickTarget('organization', connectionId);
}

async function register(
  { registry }: FleetStores,
  { organizationId, name: organization }: OrganizationTarget,
  offered: string,
): Promise<RegistryItemId> {
  const taken = new Set(getNames(await registry.list(organizationId, { fresh: true })));
  const { id } = await completeAfterCancel<{ readonly id: RegistryItemId }>((begun) =>
    promptForText({
      title: vscode.l10n.t('Register Module'),
      prompt: vscode.l10n.t(
        'Name of the new module in "{0}". It is part of the module ID and can\'t be changed.',
        toDisplayText(organization),
      ),
      value: offered,
      validate: (value) => inputProblem(moduleNameProblem(value.trim(), taken), organization),
      submit: async (value) => {
        await begun(registry.createModule(organizationId, value.trim()));
      },
    }),
  );
  return id;
}

function inputProblem(
  problem: ModuleNameProblem | undefined,
  organization: string,
): InputProblem | undefined {
  if (problem !== 'taken') return toModuleNameProblem(problem);
  return inputError(
    vscode.l10n.t(
      'The registry already has an item with this name from "{0}".',
      toDisplayText(organization),
    ),
  );
}

/**
 * Writes the ID to the manifest and opens the manifest. If that fails, reports that the module was
 * registered anyway.
 */
async function writeDown(
  manifest: vscode.Uri,
  present: string | undefined,
  id: RegistryItemId,
): Promise<void> {
  try {
    if (present === undefined) {
      const text = registeredManifest(undefined, id);
      await vscode.workspace.fs.writeFile(manifest, new TextEncoder().encode(text));
    }
    const document = await vscode.workspace.openTextDocument(manifest);
    // The user might have edited the manifest while the prompt was open.
    await replaceText(document, registeredManifest(document.getText(), id));
    await document.save();
    await vscode.window.showTextDocument(document, { preview: false });
  } catch (cause) {
    const message = vscode.l10n.t(
      'Registered {0}, but couldn\'t write {1}: {2} Enter the ID in "module_id" manually.',
      toDisplayText(id),
      vscode.workspace.asRelativePath(manifest),
      toFleetError(cause).message,
    );
    throw new FleetError('invalid', message, { cause });
  }
}

function getFolderName(manifest: vscode.Uri): string {
  return getModuleFolder(manifest).path.split('/').at(-1) ?? MANIFEST_NAME;
}

interface FolderItem extends vscode.QuickPickItem {
  /** Absent for the item that lets the user select another folder. */
  readonly folder?: vscode.Uri;
}

/**
 * Prompts for a module's folder: a workspace folder or any other folder.
 * @returns the folder for the module's manifest
 */
async function pickModuleFolder(): Promise<vscode.Uri> {
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
