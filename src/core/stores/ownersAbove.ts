import type { HeldRole } from '../model/access';
import type { LocationId, OrganizationId } from '../model/ids';
import type { ResourceTarget } from '../model/resourceTarget';
import { targetId } from '../model/resourceTarget';
import type { FleetStores } from './fleetStores';

/**
 * The addresses of those who may hand out roles on a resource: its owners and those of what it is in.
 * Undefined where the key may not read who that is. Never fails.
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
    const isOwner = ({ name, resourceId }: HeldRole): boolean =>
      name === 'owner' && above.has(resourceId);
    const owners = new Set<string>(roles.filter(isOwner).map(({ identity }) => identity.id));
    return members
      .filter(({ id, email }) => owners.has(id) && email !== '')
      .map((one) => one.email);
  } catch {
    // Whoever may not read the members is told to ask an owner all the same.
    return undefined;
  }
}

/** The ids of a resource and of everything it is in. */
async function idsAbove(stores: FleetStores, target: ResourceTarget): Promise<ReadonlySet<string>> {
  const ids = new Set<string>([targetId(target), target.organizationId]);
  if ('machineId' in target) ids.add(target.machineId);
  if (!('locationId' in target)) return ids;
  const parents = await parentsIn(stores, target.organizationId);
  let at: LocationId | undefined = target.locationId;
  while (at !== undefined && (at === target.locationId || !ids.has(at))) {
    ids.add(at);
    at = parents.get(at);
  }
  return ids;
}

async function parentsIn(
  stores: FleetStores,
  organization: OrganizationId,
): Promise<ReadonlyMap<LocationId, LocationId | undefined>> {
  const all = await stores.locations.list(organization);
  return new Map(all.map(({ id, parentId }) => [id, parentId]));
}
