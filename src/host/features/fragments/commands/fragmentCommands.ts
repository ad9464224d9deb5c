import * as vscode from 'vscode';
import { getNames } from '../../../../core/model/resourceName';
import type { FragmentTarget, OrganizationTarget } from '../../../../core/model/resourceTarget';
import { promptForName } from '../../../platform/promptForName';
import { confirmDeletion } from '../../../platform/confirmDeletion';
import type { FleetTools } from '../../../platform/fleetTools';
import { resolveTarget } from '../../../platform/resolveTarget';

export async function createFragment(
  tools: FleetTools,
  given: OrganizationTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'organization', given, 'administer');
  const { connectionId, organizationId } = target;
  const created = await promptForName({
    title: vscode.l10n.t('Create Fragment'),
    prompt: vscode.l10n.t('Name of the new private fragment in "{0}"', target.name),
    siblings: getNames(await stores.fragments.list(organizationId)),
    submit: (name) => stores.fragments.create(organizationId, name),
  });
  await tools.reveal({
    kind: 'fragment',
    connectionId,
    organizationId,
    fragmentId: created.id,
    name: created.name,
  });
}

export async function renameFragment(
  tools: FleetTools,
  given: FragmentTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'fragment', given, 'administer');
  const { name: current } = await stores.fragments.get(target.fragmentId, { fresh: true });
  await promptForName({
    title: vscode.l10n.t('Rename Fragment'),
    prompt: vscode.l10n.t('New name of the fragment "{0}"', current),
    current,
    siblings: getNames(await stores.fragments.list(target.organizationId)),
    submit: async (name) => {
      await stores.fragments.rename(target.fragmentId, name);
    },
  });
}

export async function deleteFragment(
  tools: FleetTools,
  given: FragmentTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'fragment', given, 'administer');
  const [fragments, organization] = await Promise.all([
    stores.fragments.list(target.organizationId, { fresh: true }),
    stores.organizations.get(target.organizationId),
  ]);
  const users = fragments.find(({ id }) => id === target.fragmentId)?.partCount ?? 0;
  await confirmDeletion({
    title: vscode.l10n.t('Delete Fragment'),
    name: target.name,
    id: target.fragmentId,
    organization,
    alsoDeleted: [
      vscode.l10n.t('its history'),
      ...(users > 0 ? [vscode.l10n.t('its content in {0} parts that use it', users)] : []),
    ],
  });
  await stores.fragments.delete({ id: target.fragmentId, organizationId: target.organizationId });
}
