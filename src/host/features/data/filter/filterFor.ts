import type { OrganizationId } from '../../../../core/model/ids';
import { owningOrganization } from '../../../../core/stores/owningOrganization';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import type { BrowsableTarget } from '../../../../manifest/commands';
import { type DataFilter, everyData } from '../../../../shared/data/dataFilter';

/** The filter with which the data of a resource is opened. @param owner whose data it is. */
export function filterFor(target: BrowsableTarget, owner: OrganizationId): DataFilter {
  const filter: DataFilter = { ...everyData, organizations: [owner] };
  switch (target.kind) {
    case 'organization':
      return filter;
    case 'location':
      return { ...filter, locations: [target.locationId] };
    case 'machine':
      return { ...filter, machine: target.machineId };
    case 'part':
      return { ...filter, machine: target.machineId, part: target.partId };
    case 'dataset':
      return { ...filter, dataset: target.datasetId };
  }
}

/** The organization whose data a resource has: what stands in a shared location is its owner's. */
export async function ownerOf(
  stores: FleetStores,
  target: BrowsableTarget,
): Promise<OrganizationId> {
  if (target.kind === 'organization' || target.kind === 'dataset') return target.organizationId;
  return (await owningOrganization(stores, target)).id;
}
