import * as vscode from 'vscode';
import type { RegistryItem } from '../../../../core/model/registryItem';
import type { RegistryItemTarget } from '../../../../core/model/resourceTarget';
import type { KnownVisibility } from '../../../../core/model/visibility';
import type { FleetTools } from '../../../platform/fleetTools';
import { askOne, confirm } from '../../../platform/prompts';
import { numberText } from '../../../platform/quantityText';
import { quickText } from '../../../platform/quickText';
import { resolveTarget } from '../../../platform/resolveTarget';
import { showStatusMessage } from '../../../platform/statusMessage';
import { sameVisibilityText, visibilityRows } from '../../../platform/visibilityRows';
import { itemText } from '../registryNames';

/** Changes who may see and use an item; what else is said about it stays. */
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
  const { visibility } = await askOne(visibilityRows(before.visibility, organization.name), {
    title: vscode.l10n.t('Change Visibility of "{0}"', quickText(before.name)),
    placeholder: vscode.l10n.t('Who may see and use it?'),
  });
  // Another user can have changed it while the list was open.
  const [item, listed] = await Promise.all([
    read(),
    stores.registry.list(target.organizationId, { fresh: true }),
  ]);
  if (visibility === item.visibility) {
    showStatusMessage(sameVisibilityText(item.name, visibility));
    return;
  }
  const status = listed.find(({ id }) => id === item.id)?.status;
  await confirm(
    questionOf(item, visibility),
    [...whatFollows(item, visibility), ...whatElse({ ...item, status })].join(' '),
    answerOf(visibility),
  );
  await stores.registry.updateItem(item, { visibility });
}

function questionOf(item: RegistryItem, next: KnownVisibility): string {
  switch (next) {
    case 'private':
      return vscode.l10n.t('Hide {0} from everybody outside of its organization?', itemText(item));
    case 'public':
      return vscode.l10n.t('Show {0} to everybody?', itemText(item));
    case 'publicUnlisted':
      return vscode.l10n.t('Show {0} to everybody who knows its ID?', itemText(item));
  }
}

function answerOf(next: KnownVisibility): string {
  switch (next) {
    case 'private':
      return vscode.l10n.t('Make Private');
    case 'public':
      return vscode.l10n.t('Make Public');
    case 'publicUnlisted':
      return vscode.l10n.t('Make Public, Unlisted');
  }
}

function whatFollows(item: RegistryItem, next: KnownVisibility): readonly string[] {
  if (next !== 'private') {
    if (item.visibility !== 'private') return [];
    return [vscode.l10n.t('All its versions can then be downloaded outside of the organization.')];
  }
  const { otherOrganizationsUsing: others = 0, otherMachinesUsing: machines = 0 } = item;
  if (others === 0) return [vscode.l10n.t('No other organization uses it.')];
  return [
    others === 1
      ? vscode.l10n.t('1 other organization uses it and cannot download it any more.')
      : vscode.l10n.t(
          '{0} other organizations use it and cannot download it any more.',
          numberText(others),
        ),
    machines === 1
      ? vscode.l10n.t('1 machine of theirs stays on the version that it has.')
      : vscode.l10n.t(
          '{0} machines of theirs stay on the version that they have.',
          numberText(machines),
        ),
  ];
}

/** Anyone who says something about an item publishes it, unless that is a draft. */
function whatElse({ status, isDraft = false }: RegistryItem): readonly string[] {
  return status === 'inDevelopment' && !isDraft
    ? [vscode.l10n.t('It was in development, and counts as published from then on.')]
    : [];
}
