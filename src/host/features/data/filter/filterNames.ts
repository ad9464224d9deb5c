import { displayName } from '../../../../core/model/displayText';
import {
  datasetId,
  locationId,
  machineId,
  organizationId,
  partId,
} from '../../../../core/model/ids';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import type { DataFilter } from '../../../../shared/data/dataFilter';
import type { FilterNames } from '../../../../shared/data/dataPanel';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The names of what a filter refers to by id; what cannot be read is left out. */
export async function filterNames(stores: FleetStores, filter: DataFilter): Promise<FilterNames> {
  const reads: readonly Promise<Named | undefined>[] = [
    ...filter.organizations.map((id) => stores.organizations.get(organizationId(id))),
    ...filter.locations.map((id) => stores.locations.get(locationId(id))),
    ...(filter.machine ? [stores.machines.get(machineId(filter.machine))] : []),
    ...(filter.part ? [stores.parts.get(partId(filter.part))] : []),
    ...(filter.dataset ? [datasetOf(stores, filter)] : []),
  ];
  const named = await Promise.all(reads.map((read) => read.catch(() => undefined)));
  return Object.fromEntries(
    named.filter((one) => one !== undefined).map((one) => [one.id, displayName(one)]),
  );
}

async function datasetOf(stores: FleetStores, filter: DataFilter): Promise<Named | undefined> {
  const lists = await Promise.all(
    filter.organizations.map((id) => stores.datasets.list(organizationId(id))),
  );
  return lists.flat().find(({ id }) => id === datasetId(filter.dataset));
}
