import * as vscode from 'vscode';
import { DiskBuilds } from '../../../../archives/diskBuilds';
import { FleetError } from '../../../../core/api/errors';
import { toDisplayText } from '../../../../core/model/displayText';
import { type OrganizationId, registryItemId } from '../../../../core/model/ids';
import type { ModelKind } from '../../../../core/model/registryItem';
import type { OrganizationTarget, RegistryItemTarget } from '../../../../core/model/resourceTarget';
import type { PackageUpload } from '../../../../core/stores/registryUploads';
import { measuring } from '../../../platform/commands/progress';
import { requireRight } from '../../../platform/permissions/requireRight';
import type { ModuleUploadTools } from './uploadTools';
import { chooseScript, configureScript, type ScriptSettings } from './scriptSettings';

/**
 * Uploads a training script, which is a folder or a `.tar.gz` archive, as a new version.
 * @param argument an organization, a training script in the registry, or a folder on this computer
 */
export async function uploadScript(
  tools: ModuleUploadTools,
  argument: object | undefined,
): Promise<void> {
  const scriptTarget = await resolveScriptTarget(tools, argument);
  const { registry } = tools.sessions.stores(scriptTarget.connectionId);
  const builds = new DiskBuilds(vscode.l10n);
  const chosen = await chooseScript(builds, argument instanceof vscode.Uri ? argument : undefined);
  const items = await registry.list(scriptTarget.organizationId, { fresh: true });
  const settings = await configureScript(items, chosen, scriptTarget.scriptName);
  const { path, facts, name } = settings;
  const title = vscode.l10n.t('Upload the training script {0}', toDisplayText(name));
  const { version } = await measuring(title, facts.archiveBytes ?? facts.bytes, (signal, onRead) =>
    registry.uploadPackage(
      {
        ...toPackageUpload(scriptTarget.organizationId, settings),
        read: (reading) =>
          builds.read(path, {}, { signal: reading, onRead, fingerprint: facts.fingerprint }),
      },
      { signal },
    ),
  );
  void notifySuccess(tools, toItemTarget(scriptTarget, settings), version).catch(
    tools.presentError,
  );
}

interface ScriptTarget {
  readonly connectionId: OrganizationTarget['connectionId'];
  readonly organizationId: OrganizationId;
  readonly scriptName: string | undefined;
}

async function resolveScriptTarget(
  { sessions, pickTarget }: ModuleUploadTools,
  argument: object | undefined,
): Promise<ScriptTarget> {
  const isTarget = (value: object | undefined): value is OrganizationTarget | RegistryItemTarget =>
    value !== undefined && 'connectionId' in value && 'organizationId' in value;
  const target = isTarget(argument) ? argument : await pickTarget('organization');
  const isScript = target.kind === 'registryItem' && target.itemType === 'trainingScript';
  const { connectionId, organizationId } = target;
  const scriptTarget = {
    connectionId,
    organizationId,
    scriptName: isScript ? target.name : undefined,
  };
  const needed = toItemTarget(scriptTarget, { name: target.name });
  await requireRight(sessions.stores(connectionId), needed, 'administer');
  return scriptTarget;
}

function toItemTarget(
  { connectionId, organizationId }: Pick<ScriptTarget, 'connectionId' | 'organizationId'>,
  { name }: Pick<ScriptSettings, 'name'>,
): RegistryItemTarget {
  const itemId = registryItemId(`${organizationId}:${name}`);
  return {
    kind: 'registryItem',
    itemType: 'trainingScript',
    connectionId,
    organizationId,
    itemId,
    name,
  };
}

function toPackageUpload(
  organization: OrganizationId,
  { name, version, kind, isNew }: ScriptSettings,
): Omit<PackageUpload, 'read'> {
  if (isNew && !kind) {
    throw new FleetError('invalid', vscode.l10n.t('Select the model type that the script trains.'));
  }
  return {
    organization,
    name,
    version,
    type: 'trainingScript',
    ...(isNew && kind && { metadata: toItemMetadata(kind) }),
  };
}

/** Returns the metadata for a new item, with the field names of the wire protocol. */
function toItemMetadata({ task, framework }: ModelKind) {
  return {
    visibility: 'private',
    model_type: task.replace(/[A-Z]/g, (letter) => `_${letter}`).toLowerCase(),
    model_framework: framework,
  };
}

async function notifySuccess(
  { commands }: ModuleUploadTools,
  target: RegistryItemTarget,
  version: string,
): Promise<void> {
  const show = vscode.l10n.t('Show Page');
  const message = vscode.l10n.t(
    'Uploaded the training script {0}, version {1}.',
    toDisplayText(target.name),
    toDisplayText(version),
  );
  if ((await vscode.window.showInformationMessage(message, show)) !== show) return;
  await commands.execute('fleetwright.registryItem.show', target);
}
