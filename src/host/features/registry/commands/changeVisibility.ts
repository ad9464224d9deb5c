import * as vscode from 'vscode';
import type { RegistryItem } from '../../../../core/model/registryItem';
import type { RegistryItemTarget } from '../../../../core/model/resourceTarget';
import type { KnownVisibility } from '../../../../core/model/visibility';
import type { FleetTools } from '../../../platform/fleetTools';
import { pickOne, confirm } from '../../../platform/prompts';
import { formatNumber } from '../../../platform/quantityText';
import { toQuickPickText } from '../../../platform/toQuickPickText';
import { resolveTarget } from '../../../platform/resolveTarget';
import { showStatusMessage } from '../../../platform/statusMessage';
import { formatSameVisibility, visibilityRows } from '../../../platform/visibilityRows';
import { formatItemReference } from '../registryNames';

/** Changes who can see and use an item; all other metadata stays unchanged. */
export async function changeVisibility(
  tools: FleetTools,
  given: RegistryItemTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'registryItem', given, 'administer');
  const read = () => stores.registry.get(target.itemId, { fresh: true });
  const [before, organization] = await Promise.all([
    read(),
    stores.organizations.get(target.organizationId),
  ]);
  const { visibility } = await pickOne(visibilityRows(before.visibility, organization.name), {
    title: vscode.l10n.t('Change Visibility of "{0}"', toQuickPickText(before.name)),
    placeholder: vscode.l10n.t('Who can see and use it?'),
  });
  // Another user might have changed the visibility while the list was open.
  const [item, listed] = await Promise.all([
    read(),
    stores.registry.list(target.organizationId, { fresh: true }),
  ]);
  if (visibility === item.visibility) {
    showStatusMessage(formatSameVisibility(item.name, visibility));
    return;
  }
  const status = listed.find(({ id }) => id === item.id)?.status;
  await confirm(
    formatQuestion(item, visibility),
    [...describeConsequences(item, visibility), ...whatElse({ ...item, status })].join(' '),
    formatActionLabel(visibility),
  );
  await stores.registry.updateItem(item, { visibility });
}

function formatQuestion(item: RegistryItem, next: KnownVisibility): string {
  switch (next) {
    case 'private':
      return vscode.l10n.t(
        'Hide {0} from everyone outside its organization?',
        formatItemReference(item),
      );
    case 'public':
      return vscode.l10n.t('Make {0} visible to everyone?', formatItemReference(item));
    case 'publicUnlisted':
      return vscode.l10n.t(
        'Make {0} visible to anyone who knows its ID?',
        formatItemReference(item),
      );
  }
}

function formatActionLabel(next: KnownVisibility): string {
  switch (next) {
    case 'private':
      return vscode.l10n.t('Make Private');
    case 'public':
      return vscode.l10n.t('Make Public');
    case 'publicUnlisted':
      return vscode.l10n.t('Make Public and Unlisted');
  }
}

function describeConsequences(item: RegistryItem, next: KnownVisibility): readonly string[] {
  if (next !== 'private') {
    if (item.visibility !== 'private') return [];
    return [
      vscode.l10n.t('People outside the organization can then download all of its versions.'),
    ];
  }
  const { otherOrganizationsUsing: others = 0, otherMachinesUsing: machines = 0 } = item;
  if (others === 0) return [vscode.l10n.t('No other organization uses it.')];
  return [
    others === 1
      ? vscode.l10n.t('1 other organization uses it and will no longer be able to download it.')
      : vscode.l10n.t(
          '{0} other organizations use it and will no longer be able to download it.',
          formatNumber(others),
        ),
    machines === 1
      ? vscode.l10n.t('1 of their machines keeps its current version.')
      : vscode.l10n.t('{0} of their machines keep their current version.', formatNumber(machines)),
  ];
}

/** Describes side effects. Updating an item publishes it unless the item is a draft. */
function whatElse({ status, isDraft = false }: RegistryItem): readonly string[] {
  return status === 'inDevelopment' && !isDraft
    ? [vscode.l10n.t('The item is in development. This change marks it as published.')]
    : [];
}
