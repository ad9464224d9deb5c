import * as vscode from 'vscode';
import type { FragmentVisibility } from '../../../../core/model/entities';
import type { FragmentTarget } from '../../../../core/model/resourceTarget';
import type { KnownVisibility } from '../../../../core/model/visibility';
import type { FleetTools } from '../../../platform/fleetTools';
import { askOne, confirm } from '../../../platform/prompts';
import { quickText } from '../../../platform/quickText';
import { resolveTarget } from '../../../platform/resolveTarget';

interface VisibilityItem extends vscode.QuickPickItem {
  readonly visibility: KnownVisibility;
}

/** Changes who may see and use a fragment; its config is not sent. */
export async function changeVisibility(
  tools: FleetTools,
  given: FragmentTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'fragment', given, 'administer');
  const [fragment, organization] = await Promise.all([
    stores.fragments.get(target.fragmentId, { fresh: true }),
    stores.organizations.get(target.organizationId),
  ]);
  const { visibility } = await askOne(itemsOf(fragment.visibility, organization.name), {
    title: vscode.l10n.t('Change Visibility of "{0}"', fragment.name),
    placeholder: vscode.l10n.t('Who may see and use it?'),
  });
  if (visibility === fragment.visibility) return;
  if (visibility !== 'private') {
    await confirm(
      visibility === 'public'
        ? vscode.l10n.t('Show the fragment "{0}" to everybody?', fragment.name)
        : vscode.l10n.t('Show the fragment "{0}" to everybody who knows its id?', fragment.name),
      vscode.l10n.t(
        'It belongs to the organization "{0}". Its whole config, with all that is written in it, can then be read outside of the organization.',
        organization.name,
      ),
      visibility === 'public'
        ? vscode.l10n.t('Make Public')
        : vscode.l10n.t('Make Public, Unlisted'),
    );
  }
  await stores.fragments.setVisibility(fragment, visibility);
}

function itemsOf(now: FragmentVisibility, organization: string): VisibilityItem[] {
  const items: readonly VisibilityItem[] = [
    {
      visibility: 'private',
      label: `$(lock) ${vscode.l10n.t('Private')}`,
      detail: vscode.l10n.t('Those who may read {0} see and use it', quickText(organization)),
    },
    {
      visibility: 'public',
      label: `$(globe) ${vscode.l10n.t('Public')}`,
      detail: vscode.l10n.t('Everybody sees, finds and uses it'),
    },
    {
      visibility: 'publicUnlisted',
      label: `$(link) ${vscode.l10n.t('Public, unlisted')}`,
      detail: vscode.l10n.t('Everybody who knows its id sees and uses it; no list shows it'),
    },
  ];
  return items.map((item) =>
    item.visibility === now ? { ...item, description: vscode.l10n.t('now') } : item,
  );
}
