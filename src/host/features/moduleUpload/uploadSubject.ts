import * as vscode from 'vscode';
import { DiskBuilds } from '../../../archives/diskBuilds';
import { cancelled, FleetError, toFleetError } from '../../../core/api/errors';
import { displayText } from '../../../core/model/displayText';
import { type ConnectionId, registryItemId, type RegistryItemId } from '../../../core/model/ids';
import type { RegistryItem } from '../../../core/model/registryItem';
import { registryItemTarget } from '../../../core/model/registryItemTarget';
import type { RegistryItemTarget } from '../../../core/model/resourceTarget';
import { knownManifest } from '../../../core/modules/upload/knownManifest';
import type { RegistryStore } from '../../../core/stores/registryStore';
import {
  askManifest,
  findManifestOf,
  isRegistryItem,
  type ManifestFile,
  readManifestFile,
} from '../../platform/moduleManifests';
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
  const clicked = isRegistryItem(given) ? given : undefined;
  const connection = requireConnection(tools.sessions, clicked?.connectionId);
  const stores = tools.sessions.stores(connection.id);
  const { registry } = stores;
  const { item, file } = clicked
    ? await clickedModule(registry, clicked)
    : await registeredModule(tools, await askManifest(given, title), registry, connection.id);
  if (item.type !== 'module') throw notAModule(item);
  const target = registryItemTarget(connection.id, item);
  await requireRight(stores, target, 'administer');
  const manifest = file?.manifest ?? knownManifest(item);
  return { target, registry, item, file, manifest, builds: new DiskBuilds() };
}

/** A module, and what describes it in this workspace. */
type FoundModule = Pick<UploadSubject, 'item' | 'file'>;

async function clickedModule(
  registry: RegistryStore,
  clicked: RegistryItemTarget,
): Promise<FoundModule> {
  const file = await findManifestOf(clicked);
  return { item: await registry.get(clicked.itemId, { fresh: true }), file };
}

async function registeredModule(
  tools: ModuleUploadTools,
  file: ManifestFile,
  registry: RegistryStore,
  connectionId: ConnectionId,
): Promise<FoundModule> {
  const { moduleId } = file.manifest;
  const found = moduleId === '' ? undefined : await tryGetting(registry, registryItemId(moduleId));
  if (found) return { item: found, file };
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
  // Its id is in there now.
  const completed = await readManifestFile(file.uri);
  const created = await tryGetting(registry, registryItemId(completed.manifest.moduleId));
  if (!created) throw cancelled();
  return { item: created, file: completed };
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

function notAModule({ id }: RegistryItem): FleetError {
  return new FleetError(
    'invalid',
    vscode.l10n.t('{0} is no module, so no build can be uploaded to it.', displayText(id)),
  );
}
