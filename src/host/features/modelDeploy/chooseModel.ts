import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { toDisplayText } from '../../../core/model/toDisplayText';
import type { ConnectionId } from '../../../core/model/ids';
import type { RegistryItem } from '../../../core/model/registryItem';
import type { RegistryItemTarget } from '../../../core/model/resourceTarget';
import { LATEST } from '../../../core/model/versionPin';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { pickVersion } from '../../platform/deploy/pickVersion';
import type { FleetTools } from '../../platform/fleetTools';
import { pickOne } from '../../platform/prompts';
import { toQuickPickText } from '../../platform/toQuickPickText';
import { requireConnection } from '../../platform/requireConnection';

/** Model of the registry in its current state. */
export interface ChosenModel {
  readonly connectionId: ConnectionId;
  readonly item: RegistryItem;
}

/**
 * Returns the model to deploy: the clicked model, or a model that the user selects. Reloads the
 * model so that a newly trained version is included. Throws `canceled`.
 * @param connection required connection, if the machine is already known.
 */
export async function chooseModel(
  { sessions }: Pick<FleetTools, 'sessions'>,
  given: RegistryItemTarget | undefined,
  title: string,
  connection?: ConnectionId,
): Promise<ChosenModel> {
  const { id: connectionId } = requireConnection(sessions, given?.connectionId ?? connection);
  const stores = sessions.stores(connectionId);
  const placeholder = vscode.l10n.t('Select the model to deploy to the machine');
  const id = given?.itemId ?? (await pickOne(modelItems(stores), { title, placeholder })).id;
  const item = await stores.registry.get(id, { fresh: true });
  if (item.type !== 'mlModel') {
    throw new FleetError('invalid', vscode.l10n.t('"{0}" is not a model.', toDisplayText(item.id)));
  }
  return { connectionId, item };
}

/**
 * Prompts for the version to deploy; the newest version is the default. The user can also choose to
 * always use the newest version. Throws `canceled`.
 * @param current version in the config.
 */
export async function chooseModelVersion(
  { id, versions }: Pick<RegistryItem, 'id' | 'versions'>,
  title: string,
  current: string | undefined,
): Promise<string> {
  if (versions.length === 0) {
    const message = vscode.l10n.t('The model "{0}" has no versions yet. Train it first.', id);
    throw new FleetError('notFound', message);
  }
  const placeholder =
    current === undefined
      ? vscode.l10n.t('Select the version to deploy to the machine')
      : vscode.l10n.t(
          'Select the version to deploy to the machine (currently {0})',
          toDisplayText(current),
        );
  return pickVersion({
    ...{ title, placeholder, versions },
    usual: versions[0]?.version,
    notes: () => [],
    pins: [{ pin: LATEST, label: vscode.l10n.t('Always the newest version') }],
  });
}

async function modelItems({ organizations, registry }: FleetStores) {
  const all = await organizations.list();
  const lists = await Promise.all(
    all.map(async ({ id, name }) => ({ name, items: await registry.list(id) })),
  );
  const items = lists.flatMap(({ name, items }) =>
    items
      .filter(({ type }) => type === 'mlModel')
      .map((item) => ({
        label: toQuickPickText(item.name),
        description: toQuickPickText(name),
        iconPath: new vscode.ThemeIcon('symbol-misc'),
        id: item.id,
      })),
  );
  if (items.length > 0) return items;
  const message = vscode.l10n.t('There are no models yet. Train one on a dataset first.');
  throw new FleetError('notFound', message);
}
