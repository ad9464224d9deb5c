import * as vscode from 'vscode';
import { DiskBuilds } from '../../../archives/diskBuilds';
import { cancelled, FleetError, toFleetError } from '../../../core/api/errors';
import { displayText } from '../../../core/model/displayText';
import { type ConnectionId, registryItemId, type RegistryItemId } from '../../../core/model/ids';
import type { RegistryItem } from '../../../core/model/registryItem';
import type { RegistryItemTarget } from '../../../core/model/resourceTarget';
import type { RegistryStore } from '../../../core/stores/registryStore';
import { askManifest, findManifests, type ManifestFile } from '../../platform/moduleManifests';
import { confirm } from '../../platform/prompts';
import { requireConnection } from '../../platform/requireConnection';
import { requireRight } from '../../platform/requireRight';
import type { ModuleUploadTools, UploadSubject } from './uploadTools';

/**
 * The module that is to be uploaded: of the item that was clicked, or of the manifest that was given, is
 * in front or is picked. Offers to register one that is not there yet.
 * @throws cancelled when the person leaves, and `permission` where the key may not upload
 */
export async function uploadSubject(
  tools: ModuleUploadTools,
  given: object | undefined,
  title: string,
): Promise<UploadSubject> {
  const clicked = isItem(given) ? given : undefined;
  const file = clicked ? await manifestOf(clicked) : await askManifest(given, title);
  const connection = requireConnection(tools.sessions, clicked?.connectionId);
  const stores = tools.sessions.stores(connection.id);
  const { registry } = stores;
  const item = await itemOf(tools, { clicked, file }, registry, connection.id);
  if (item.type !== 'module') throw notAModule(item);
  const target = targetOf(connection.id, item);
  await requireRight(stores, target, 'administer');
  return { target, registry, item, file, builds: new DiskBuilds() };
}

async function itemOf(
  tools: ModuleUploadTools,
  {
    clicked,
    file,
  }: {
    readonly clicked: RegistryItemTarget | undefined;
    readonly file: ManifestFile | undefined;
  },
  registry: RegistryStore,
  connectionId: ConnectionId,
): Promise<RegistryItem> {
  if (clicked) return registry.get(clicked.itemId, { fresh: true });
  if (file) return registeredItem(tools, file, registry, connectionId);
  throw cancelled();
}

function isItem(given: object | undefined): given is RegistryItemTarget {
  return given !== undefined && 'kind' in given && given.kind === 'registryItem';
}

async function manifestOf({ itemId, organizationId, name }: RegistryItemTarget) {
  const ids: readonly string[] = [itemId, `${organizationId}:${name}`];
  const files = await findManifests();
  return files.find(({ manifest }) => ids.includes(manifest.moduleId));
}

async function registeredItem(
  tools: ModuleUploadTools,
  file: ManifestFile,
  registry: RegistryStore,
  connectionId: ConnectionId,
): Promise<RegistryItem> {
  const { moduleId } = file.manifest;
  const found = moduleId === '' ? undefined : await tryGetting(registry, registryItemId(moduleId));
  if (found) return found;
  const cloud = tools.sessions.connection(connectionId)?.label ?? '';
  await confirm(
    moduleId === ''
      ? vscode.l10n.t('This manifest has no module_id yet. Register the module now?')
      : vscode.l10n.t(
          '{0} is not in the registry of {1}, or not for you to see. Register it now?',
          displayText(moduleId),
          displayText(cloud),
        ),
    vscode.l10n.t('Builds can be uploaded once the name is registered.'),
    vscode.l10n.t('Register…'),
  );
  await tools.commands.execute('fleetwright.module.create', file.uri);
  const { manifest } = await askManifest(file.uri, '');
  const created = await tryGetting(registry, registryItemId(manifest.moduleId));
  if (!created) throw cancelled();
  return created;
}

async function tryGetting(
  registry: RegistryStore,
  id: RegistryItemId,
): Promise<RegistryItem | undefined> {
  try {
    return await registry.get(id, { fresh: true });
  } catch (error) {
    if (toFleetError(error).kind === 'notFound') return undefined;
    throw error;
  }
}

function targetOf(connectionId: ConnectionId, item: RegistryItem): RegistryItemTarget {
  return {
    kind: 'registryItem',
    connectionId,
    organizationId: item.organizationId,
    itemId: item.id,
    itemType: item.type,
    name: item.name,
  };
}

function notAModule({ id }: RegistryItem): FleetError {
  return new FleetError(
    'invalid',
    vscode.l10n.t('{0} is no module, so no build can be uploaded to it.', displayText(id)),
  );
}
