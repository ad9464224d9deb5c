import type { OrganizationIdentity } from '../model/entities';
import type { LocationId, OrganizationId } from '../model/ids';
import type { FleetStores } from './fleetStores';

/**
 * Returns the organization that owns the contents of a location. If a location is shared, this is
 * different from the organization in whose list it appears.
 */
export async function owningOrganization(
  { locations, organizations }: Pick<FleetStores, 'locations' | 'organizations'>,
  parent: { readonly organizationId: OrganizationId; readonly locationId: LocationId },
): Promise<OrganizationIdentity> {
  const all = await locations.list(parent.organizationId);
  const owner = all.find(({ id }) => id === parent.locationId)?.owner;
  return owner && owner.name !== '' ? owner : organizations.get(parent.organizationId);
}
