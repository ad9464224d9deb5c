import { displayName, toDisplayText } from '../../../../core/model/displayText';
import {
  datasetId,
  locationId,
  type LocationId,
  machineId,
  organizationId,
  partId,
} from '../../../../core/model/ids';
import { pathNames } from '../../../../core/model/locationTree';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import type { DataFilter } from '../../../../shared/data/dataFilter';
import type { FilterNames, ResourceName } from '../../../../shared/data/dataPanel';

type Named = readonly [id: string, name: ResourceName];

/** Returns names for the IDs in a filter. Skips unreadable names. */
export async function filterNames(stores: FleetStores, filter: DataFilter): Promise<FilterNames> {
  const reads: readonly Promise<Named>[] = [
    ...filter.organizations.map((id) => organizationName(stores, id)),
    ...filter.locations.map((id) => locationName(stores, filter, id)),
    ...(filter.machine ? [machineName(stores, filter)] : []),
    ...(filter.part ? [partName(stores, filter)] : []),
    ...(filter.dataset ? [datasetName(stores, filter)] : []),
  ];
  const named = await Promise.allSettled(reads);
  return Object.fromEntries(
    named.flatMap((read) => (read.status === 'fulfilled' ? [read.value] : [])),
  );
}

async function organizationName(stores: FleetStores, id: string): Promise<Named> {
  const organization = await stores.organizations.get(organizationId(id));
  return named(id, [], displayName(organization));
}

async function locationName(stores: FleetStores, filter: DataFilter, id: string): Promise<Named> {
  const location = await stores.locations.get(locationId(id));
  const path = await locationPath(stores, filter, location.id);
  return named(id, path.slice(0, -1), displayName(location));
}

async function machineName(stores: FleetStores, filter: DataFilter): Promise<Named> {
  const machine = await stores.machines.get(machineId(filter.machine));
  return named(
    machine.id,
    await locationPath(stores, filter, machine.locationId),
    displayName(machine),
  );
}

async function partName(stores: FleetStores, filter: DataFilter): Promise<Named> {
  const part = await stores.parts.get(partId(filter.part));
  const machine = await stores.machines.get(part.machineId);
  const path = await locationPath(stores, filter, part.locationId);
  return named(part.id, [...path, displayName(machine)], displayName(part));
}

async function datasetName(stores: FleetStores, filter: DataFilter): Promise<Named> {
  const lists = await Promise.all(
    filter.organizations.map((id) => stores.datasets.listVisible(organizationId(id))),
  );
  const dataset = lists.flat().find(({ id }) => id === datasetId(filter.dataset));
  if (!dataset) throw new Error("This dataset doesn't exist.");
  const organization = await stores.organizations.get(dataset.organizationId);
  return named(dataset.id, [displayName(organization)], displayName(dataset));
}

/** Returns the names of a location and its parents; empty if they can't be read. */
async function locationPath(
  stores: FleetStores,
  filter: DataFilter,
  id: LocationId,
): Promise<readonly string[]> {
  const lists = await Promise.all(
    filter.organizations.map((one) => stores.locations.list(organizationId(one)).catch(() => [])),
  );
  const all = new Map(lists.flat().map((location) => [location.id, location]));
  return pathNames(id, all).map((name) => toDisplayText(name));
}

function named(id: string, above: readonly string[], name: string): Named {
  return [id, { name, path: [...above, name].join(' › ') }];
}
