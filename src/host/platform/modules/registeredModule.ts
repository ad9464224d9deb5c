import * as vscode from 'vscode';
import { canceled, toFleetError } from '../../../core/api/errors';
import { toDisplayText } from '../../../core/model/displayText';
import { type ConnectionId, registryItemId, type RegistryItemId } from '../../../core/model/ids';
import type { RegistryItem } from '../../../core/model/registryItem';
import type { RegistryStore } from '../../../core/stores/registryStore';
import type { FleetTools } from '../fleetTools';
import { type ManifestFile, readManifestFile } from './moduleManifests';
import { confirm } from '../prompts/prompts';

/** Registry module and its manifest. */
export interface RegisteredModule {
  /** Complete registry item, reloaded for this command. */
  readonly item: RegistryItem;
  readonly file: ManifestFile;
}

/**
 * Returns a manifest's registry module. If the module doesn't exist yet, offers to register it and
 * to write its ID to the manifest. Throws `canceled`.
 */
export async function registeredModule(
  { commands, sessions }: Pick<FleetTools, 'commands' | 'sessions'>,
  connectionId: ConnectionId,
  file: ManifestFile,
): Promise<RegisteredModule> {
  const { registry } = sessions.stores(connectionId);
  const { moduleId } = file.manifest;
  const found = moduleId === '' ? undefined : await tryGetting(registry, registryItemId(moduleId));
  if (found) return { item: found, file };
  const cloud = sessions.connection(connectionId)?.label ?? '';
  await confirm(
    moduleId === ''
      ? vscode.l10n.t('This manifest has no module_id yet. Register the module now?')
      : vscode.l10n.t(
          "{0} is not in the registry of {1}, or you don't have permission to view it. Register it now?",
          toDisplayText(moduleId),
          toDisplayText(cloud),
        ),
    vscode.l10n.t(
      'This reserves the name and writes the ID to the manifest. If the ID is wrong, correct "module_id" instead.',
    ),
    vscode.l10n.t('Register…'),
  );
  await commands.execute('fleetwright.module.create', file.uri);
  // The manifest now includes the ID.
  const completed = await readManifestFile(file.uri);
  const created = await tryGetting(registry, registryItemId(completed.manifest.moduleId));
  if (!created) throw canceled();
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
