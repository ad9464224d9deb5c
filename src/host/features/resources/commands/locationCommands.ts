import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import type { Location } from '../../../../core/model/entities';
import { listDescendants } from '../../../../core/model/locationTree';
import { getNames } from '../../../../core/model/resourceName';
import type { LocationTarget, OrganizationTarget } from '../../../../core/model/resourceTarget';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import { owningOrganization } from '../../../../core/stores/ownersAbove';
import { promptForName } from '../../../platform/prompts/prompts';
import { confirmDeletion } from '../../../platform/prompts/confirmDeletion';
import type { FleetTools } from '../../../platform/fleetTools';
import { requireRight } from '../../../platform/permissions/requireRight';
import { resolveTarget } from '../../../platform/prompts/resolveTarget';
import { promptForSetting, regionPrompt } from './promptForSetting';
import { formatLocationCount, formatMachineCount } from '../counts';

/** Creates a location at the top level of an organization or inside a location. */
export async function createLocation(
  tools: FleetTools,
  requestedTarget: OrganizationTarget | LocationTarget | undefined,
): Promise<void> {
  const parent = requestedTarget ?? (await tools.pickTarget('organization'));
  const stores = tools.sessions.stores(parent.connectionId);
  await requireRight(stores, parent, 'administer');
  const parentId = parent.kind === 'location' ? parent.locationId : undefined;
  const all = await stores.locations.list(parent.organizationId);
  const created = await promptForName({
    title: vscode.l10n.t('Create Location'),
    prompt: vscode.l10n.t('Name of the new location in "{0}"', parent.name),
    siblings: getNames(all.filter((location) => location.parentId === parentId)),
    submit: (name) => stores.locations.create(parent.organizationId, name, parentId),
  });
  await tools.reveal({
    kind: 'location',
    connectionId: parent.connectionId,
    organizationId: parent.organizationId,
    locationId: created.id,
    name: created.name,
  });
}

export async function renameLocation(
  tools: FleetTools,
  requestedTarget: LocationTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'location', requestedTarget, 'administer');
  const { location, all } = await currentState(stores, target);
  await promptForName({
    title: vscode.l10n.t('Rename Location'),
    prompt: vscode.l10n.t('New name for the location "{0}"', location.name),
    current: location.name,
    siblings: getNames(all.filter(({ parentId }) => parentId === location.parentId)),
    submit: async (name) => {
      await stores.locations.rename(location, name);
    },
  });
}

/** Sets a location's region. */
export async function setLocationRegion(
  tools: FleetTools,
  requestedTarget: LocationTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'location', requestedTarget, 'administer');
  const location = await currentLocation(stores, target);
  await promptForSetting({
    title: vscode.l10n.t('Region for Location "{0}"', location.name),
    prompt: regionPrompt(),
    current: location.region,
    submit: async (region) => {
      await stores.locations.setRegion(location, region);
    },
  });
}

export async function deleteLocation(
  tools: FleetTools,
  requestedTarget: LocationTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'location', requestedTarget, 'administer');
  const { location, all } = await currentState(stores, target);
  const inside = listDescendants(location.id, all);
  const machines = [location, ...inside].reduce((sum, one) => sum + one.machineCount, 0);
  const organization = await owningOrganization(stores, target);
  await confirmDeletion({
    title: vscode.l10n.t('Delete Location'),
    name: location.name,
    id: location.id,
    organization,
    alsoDeleted: [
      ...(inside.length > 0 ? [formatLocationCount(inside.length)] : []),
      ...(machines > 0 ? [formatMachineCount(machines)] : []),
    ],
  });
  await stores.locations.delete(location);
}

/** Reads a location's current state. Throws `notFound` if it was deleted. */
export async function currentLocation(
  stores: FleetStores,
  target: LocationTarget,
): Promise<Location> {
  return (await currentState(stores, target)).location;
}

/** Reads the location's current state, because every change must also include its parent. */
async function currentState(
  stores: FleetStores,
  { organizationId, locationId, name }: LocationTarget,
): Promise<{ readonly location: Location; readonly all: readonly Location[] }> {
  const all = await stores.locations.list(organizationId, { fresh: true });
  const location = all.find(({ id }) => id === locationId);
  if (!location) throw new FleetError('notFound', vscode.l10n.t('"{0}" no longer exists.', name));
  return { location, all };
}
