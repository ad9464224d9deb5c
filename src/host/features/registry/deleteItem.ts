import * as vscode from 'vscode';
import type { RegistryItem, RegistryItemType } from '../../../core/model/registryItem';
import type { RegistryItemTarget } from '../../../core/model/resourceTarget';
import { confirmDeletion } from '../../platform/prompts/confirmDeletion';
import type { FleetTools } from '../../platform/fleetTools';
import { formatNumber } from '../../platform/text/displayText';
import { resolveTarget } from '../../platform/prompts/resolveTarget';
import { rejectInUse } from './rejectInUse';
import { describeUsers } from './itemPrompts';

/**
 * Deletes a registry item with all its versions, after the user has typed its name. If configs use
 * the item, lists them instead, because the service would reject the deletion.
 */
export async function deleteItem(
  tools: FleetTools,
  requestedTarget: RegistryItemTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(
    tools,
    'registryItem',
    requestedTarget,
    'administer',
  );
  const [item, organization] = await Promise.all([
    stores.registry.get(target.itemId, { fresh: true }),
    stores.organizations.get(target.organizationId),
  ]);
  await rejectInUse({ stores, connectionId: target.connectionId, item });
  await confirmDeletion({
    title: formatTitle(item.type),
    name: item.name,
    id: item.id,
    organization,
    consequences: describeConsequences(item),
    alsoDeleted: describeVersions(item),
  });
  await stores.registry.delete(item);
}

function describeConsequences(item: RegistryItem): readonly string[] {
  const users = describeUsers(item);
  return users.length === 0
    ? users
    : [...users, vscode.l10n.t("It remains on machines until it's removed from all configs.")];
}

function describeVersions({ versions }: RegistryItem): readonly string[] {
  if (versions.length === 0) return [];
  return [
    versions.length === 1
      ? vscode.l10n.t('1 version with its archives')
      : vscode.l10n.t('{0} versions with their archives', formatNumber(versions.length)),
  ];
}

function formatTitle(type: RegistryItemType): string {
  switch (type) {
    case 'module':
      return vscode.l10n.t('Delete Module');
    case 'mlModel':
      return vscode.l10n.t('Delete Model');
    case 'trainingScript':
      return vscode.l10n.t('Delete Training Script');
    default:
      return vscode.l10n.t('Delete Registry Item');
  }
}
