import * as vscode from 'vscode';
import { getNames } from '../../../../core/model/resourceName';
import type { OrganizationTarget } from '../../../../core/model/resourceTarget';
import { promptForName } from '../../../platform/prompts/prompts';
import { confirmDeletion } from '../../../platform/prompts/confirmDeletion';
import type { FleetTools } from '../../../platform/fleetTools';
import { requireConnection } from '../../../platform/sessionProvider';
import { resolveTarget } from '../../../platform/prompts/resolveTarget';
import { formatFragmentCount, formatLocationCount, formatMachineCount } from '../counts';

export async function createOrganization({ sessions, reveal }: FleetTools): Promise<void> {
  const active = requireConnection(sessions);
  const { organizations } = sessions.stores(active.id);
  const created = await promptForName({
    title: vscode.l10n.t('Create Organization'),
    prompt: vscode.l10n.t('Name of the new organization at "{0}"', active.label),
    siblings: getNames(await organizations.list()),
    submit: (name) => organizations.create(name),
  });
  await reveal({
    kind: 'organization',
    connectionId: active.id,
    organizationId: created.id,
    name: created.name,
  });
}

export async function renameOrganization(
  tools: FleetTools,
  requestedTarget: OrganizationTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(
    tools,
    'organization',
    requestedTarget,
    'administer',
  );
  const { organizationId } = target;
  const { name: current } = await stores.organizations.get(organizationId, { fresh: true });
  await promptForName({
    title: vscode.l10n.t('Rename Organization'),
    prompt: vscode.l10n.t('New name for the organization "{0}"', current),
    current,
    siblings: getNames(await stores.organizations.list()),
    submit: async (name) => {
      await stores.organizations.rename(organizationId, name);
    },
  });
}

export async function deleteOrganization(
  tools: FleetTools,
  requestedTarget: OrganizationTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(
    tools,
    'organization',
    requestedTarget,
    'administer',
  );
  const id = target.organizationId;
  const [locations, fragments] = await Promise.all([
    stores.locations.list(id, { fresh: true }),
    stores.fragments.list(id, { fresh: true }),
  ]);
  const machines = locations.reduce((sum, { machineCount }) => sum + machineCount, 0);
  await confirmDeletion({
    title: vscode.l10n.t('Delete Organization'),
    name: target.name,
    id,
    organization: undefined,
    alsoDeleted: [
      ...(locations.length > 0 ? [formatLocationCount(locations.length)] : []),
      ...(machines > 0 ? [formatMachineCount(machines)] : []),
      ...(fragments.length > 0 ? [formatFragmentCount(fragments.length)] : []),
      vscode.l10n.t('its members, invitations, and API keys'),
    ],
  });
  await stores.organizations.delete(id);
}
