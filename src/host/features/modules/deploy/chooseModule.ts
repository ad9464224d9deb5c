import { basename } from 'node:path';
import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import { toDisplayText } from '../../../../core/model/displayText';
import { type ConnectionId, registryItemId } from '../../../../core/model/ids';
import type { RegistryItem } from '../../../../core/model/registryItem';
import type { RegistryItemTarget } from '../../../../core/model/resourceTarget';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import { MANIFEST_NAME } from '../../../../core/modules/manifest/moduleManifest';
import { parseManifest } from '../../../../core/modules/manifest/parseManifest';
import type { FleetTools } from '../../../platform/fleetTools';
import { promptForItemId } from '../../../platform/prompts/promptForItemId';
import { pickOne } from '../../../platform/prompts/prompts';
import { toQuickPickText } from '../../../platform/text/displayText';
import { requireConnection } from '../../../platform/sessionProvider';

/** Registry module in its current state. */
export interface ChosenModule {
  readonly connectionId: ConnectionId;
  readonly item: RegistryItem;
}

interface ModuleItem extends vscode.QuickPickItem {
  readonly id: () => Promise<string>;
}

/**
 * Returns the module to deploy: the clicked module, a manifest's module, or a module that the user
 * selects. Reloads the module so that a newly uploaded version is included. Throws `canceled`.
 * @param connection required connection, if the machine is already known.
 */
export async function chooseModule(
  { sessions }: Pick<FleetTools, 'sessions'>,
  argument: RegistryItemTarget | vscode.Uri | undefined,
  title: string,
  connection?: ConnectionId,
): Promise<ChosenModule> {
  const isTarget = argument !== undefined && 'kind' in argument;
  const connectionId = requireConnection(
    sessions,
    isTarget ? argument.connectionId : connection,
  ).id;
  const stores = sessions.stores(connectionId);
  const uri = isTarget ? undefined : (argument ?? manifestInFront());
  const id = isTarget
    ? argument.itemId
    : registryItemId(uri ? await readModuleId(uri) : await pickModule(stores, title));
  const item = await stores.registry.get(id, { fresh: true });
  if (item.type !== 'module') {
    const message = vscode.l10n.t('"{0}" is not a module. Only modules run on machines.', item.id);
    throw new FleetError('invalid', message);
  }
  return { connectionId, item };
}

/** Returns the manifest in the active editor, for a command without a target. */
function manifestInFront(): vscode.Uri | undefined {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || basename(document.uri.path) !== MANIFEST_NAME) return undefined;
  return parseManifest(document.getText()).manifest?.moduleId ? document.uri : undefined;
}

async function readModuleId(uri: vscode.Uri): Promise<string> {
  const document = await vscode.workspace.openTextDocument(uri);
  const id = parseManifest(document.getText()).manifest?.moduleId;
  if (id !== undefined && id !== '') return id;
  const path = vscode.workspace.asRelativePath(uri);
  throw new FleetError(
    'invalid',
    vscode.l10n.t('{0} has no module ID. Add "module_id" first.', toDisplayText(path)),
  );
}

async function pickModule(stores: FleetStores, title: string): Promise<string> {
  const chosen = await pickOne(moduleItems(stores), {
    title,
    placeholder: vscode.l10n.t('Select the module to run'),
  });
  return chosen.id();

  async function moduleItems({ organizations, registry }: FleetStores): Promise<ModuleItem[]> {
    const all = await organizations.list();
    const lists = await Promise.all(
      all.map(async (organization) => ({
        organization,
        items: await registry.list(organization.id),
      })),
    );
    return [
      ...lists.flatMap(({ organization, items }) =>
        items
          .filter(({ type }) => type === 'module')
          .map((item) => ({
            label: toQuickPickText(item.name),
            description: toQuickPickText(organization.name),
            iconPath: new vscode.ThemeIcon('package'),
            id: () => Promise.resolve(item.id),
          })),
      ),
      {
        label: `$(link) ${vscode.l10n.t('Add Public Module by ID…')}`,
        alwaysShow: true,
        id: () => promptForItemId(title, vscode.l10n.t('The module ID, such as acme:sonar')),
      },
    ];
  }
}
