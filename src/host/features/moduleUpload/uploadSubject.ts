import * as vscode from 'vscode';
import { DiskBuilds } from '../../../archives/diskBuilds';
import { FleetError } from '../../../core/api/errors';
import { toDisplayText } from '../../../core/model/toDisplayText';
import { isTargetOf } from '../../../core/model/isTargetOf';
import type { RegistryItem } from '../../../core/model/registryItem';
import { registryItemTarget } from '../../../core/model/registryItemTarget';
import type { RegistryItemTarget } from '../../../core/model/resourceTarget';
import { knownManifest } from '../../../core/modules/upload/knownManifest';
import type { RegistryStore } from '../../../core/stores/registryStore';
import { resolveManifest, findManifest } from '../../platform/moduleManifests';
import { registeredModule } from '../../platform/registeredModule';
import { requireConnection } from '../../platform/requireConnection';
import { requireRight } from '../../platform/requireRight';
import type { ModuleUploadTools, UploadSubject } from './uploadTools';

/**
 * Returns the module to upload: that of the clicked item, or of the given, active, or selected
 * manifest. Offers to register a module that doesn't exist yet.
 * @throws canceled if the user dismisses the prompt, and `permission` if the key has no permission
 *   to upload
 */
export async function uploadSubject(
  tools: ModuleUploadTools,
  given: object | undefined,
  title: string,
): Promise<UploadSubject> {
  const clicked = isTargetOf('registryItem', given) ? given : undefined;
  const connection = requireConnection(tools.sessions, clicked?.connectionId);
  const stores = tools.sessions.stores(connection.id);
  const { registry } = stores;
  const { item, file } = clicked
    ? await clickedModule(registry, clicked)
    : await registeredModule(tools, connection.id, await resolveManifest(given, title));
  if (item.type !== 'module') throw notAModule(item);
  const target = registryItemTarget(connection.id, item);
  await requireRight(stores, target, 'administer');
  const manifest = file?.manifest ?? knownManifest(item);
  return { target, registry, item, file, manifest, builds: new DiskBuilds(vscode.l10n) };
}

/** Module and its manifest in this workspace. */
type FoundModule = Pick<UploadSubject, 'item' | 'file'>;

async function clickedModule(
  registry: RegistryStore,
  clicked: RegistryItemTarget,
): Promise<FoundModule> {
  const file = await findManifest(clicked);
  return { item: await registry.get(clicked.itemId, { fresh: true }), file };
}

function notAModule({ id }: RegistryItem): FleetError {
  return new FleetError(
    'invalid',
    vscode.l10n.t("{0} is not a module, so you can't upload a build to it.", toDisplayText(id)),
  );
}
