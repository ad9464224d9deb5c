import type { OrganizationId } from '../../../../core/model/ids';
import { owningOrganization } from '../../../../core/stores/owningOrganization';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import type { BrowsableTarget } from '../../../../manifest/commands';
import { type DataFilter, everyData } from '../../../../shared/data/dataFilter';

/**
 * Returns the initial filter for the data of a resource. @param owner organization that owns the
 * data.
 */
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

/**
 * Returns the organization that owns a resource's data. For the contents of a shared location, this
 * is the location's owner.
 */
export async function getOwner(
  stores: FleetStores,
  target: BrowsableTarget,
): Promise<OrganizationId> {
  if (target.kind === 'organization' || target.kind === 'dataset') return target.organizationId;
  return (await owningOrganization(stores, target)).id;
}
