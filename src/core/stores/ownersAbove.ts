import type { AssignedRole } from '../model/access';
import { type ResourceTarget, targetId } from '../model/resourceTarget';
import type { FleetStores } from './fleetStores';
import { pathTo } from '../model/locationTree';
import type { OrganizationIdentity } from '../model/entities';
import type { LocationId, OrganizationId } from '../model/ids';

/**
 * Returns the email addresses of the users who can grant roles on a resource: the owners of the
 * resource and its parents. Returns undefined if the API key doesn't have permission to read them.
 * Never throws.
 */
export async function ownersAbove(
  stores: FleetStores,
  target: ResourceTarget,
): Promise<readonly string[] | undefined> {
  const { organizationId } = target;
  try {
    const [roles, { members }, above] = await Promise.all([
      stores.roles.list(organizationId),
      stores.members.list(organizationId),
      idsAbove(stores, target),
    ]);
    const isOwner = ({ name, resourceId }: AssignedRole): boolean =>
      name === 'owner' && above.has(resourceId);
    const owners = new Set<string>(roles.filter(isOwner).map(({ identity }) => identity.id));
    return members
      .filter(({ id, email }) => owners.has(id) && email !== '')
      .map((one) => one.email);
  } catch {
    // If the members can't be read, the message still advises the user to contact an owner.
    return undefined;
  }
}

/** Returns the IDs of a resource and all its parents. */
export async function idsAbove(
  stores: FleetStores,
  target: ResourceTarget,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>([targetId(target), target.organizationId]);
  if ('machineId' in target) ids.add(target.machineId);
  if (!('locationId' in target)) return ids;
  const all = await stores.locations.list(target.organizationId);
  const byId = new Map(all.map((location) => [location.id, location]));
  for (const { id } of pathTo(target.locationId, byId)) ids.add(id);
  // A location is a parent of its contents even if the lists no longer contain it.
  return ids.add(target.locationId);
}

/**
 * Returns the organization that owns a location's contents. If a location is shared, this is
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
