import * as vscode from 'vscode';
import { canceled, isCanceled } from '../../../core/api/errors';
import { toDisplayText } from '../../../core/model/displayText';
import type { ConnectionId } from '../../../core/model/ids';
import type { RegistryItem } from '../../../core/model/registryItem';
import { findRegistryUsers, type RegistryUser } from '../../../core/modules/registryUsers';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { reading } from '../../platform/commands/progress';
import { formatNumber } from '../../platform/text/displayText';

/** Maximum number of users that a dialog lists by name. */
const MAX_NAMED = 10;

interface Deletion {
  readonly stores: FleetStores;
  readonly connectionId: ConnectionId;
  readonly item: RegistryItem;
  /** Version to delete; absent for the whole item. */
  readonly version?: string;
}

/**
 * Lists the configs that use an item or version, before the user confirms the deletion. If any
 * config uses it, throws `canceled`, because the service would reject the deletion.
 */
export async function rejectInUse({
  stores,
  connectionId,
  item,
  version,
}: Deletion): Promise<void> {
  const name = toDisplayText(item.name);
  const all = await reading(
    vscode.l10n.t('Searching for configs that reference "{0}"', name),
    (signal, report) => findRegistryUsers(stores, connectionId, item, signal, report),
  ).catch((error: unknown) => {
    if (isCanceled(error)) throw error;
    // If the search fails, the service still rejects the deletion of an item that is in use.
    return [];
  });
  // Deleting the last version also affects configs that don't pin a version.
  const isWhole = version === undefined || item.versions.length === 1;
  const users = isWhole ? all : all.filter(({ versions }) => versions.has(version));
  const others = isWhole && item.visibility !== 'private' ? (item.otherMachinesUsing ?? 0) : 0;
  if (users.length + others === 0) return;
  const question =
    version === undefined
      ? vscode.l10n.t('"{0}" is in use and can\'t be deleted.', name)
      : vscode.l10n.t(
          'Version {0} of "{1}" is in use and can\'t be deleted.',
          toDisplayText(version),
          name,
        );
  const detail = [
    ...users.slice(0, MAX_NAMED).map(formatUser),
    ...moreTexts(users.length - MAX_NAMED),
    ...othersTexts(others),
    vscode.l10n.t('Remove it from these configs first.'),
  ].join('\n');
  await vscode.window.showWarningMessage(question, { modal: true, detail });
  throw canceled();
}

function formatUser({ kind, name }: RegistryUser): string {
  return kind === 'machine'
    ? vscode.l10n.t('Machine "{0}"', toDisplayText(name))
    : vscode.l10n.t('Fragment "{0}"', toDisplayText(name));
}

function moreTexts(count: number): readonly string[] {
  if (count <= 0) return [];
  return [vscode.l10n.t('… and {0} more', formatNumber(count))];
}

function othersTexts(count: number): readonly string[] {
  if (count === 0) return [];
  return [
    count === 1
      ? vscode.l10n.t('1 machine of another organization')
      : vscode.l10n.t('{0} machines in other organizations', formatNumber(count)),
  ];
}
