import type { LocationId, OrganizationId } from '../model/ids';
import { type ResourceTarget, targetId } from '../model/resourceTarget';
import type { FleetStores } from './fleetStores';

/** The ids of a resource and of everything it is in. */
export async function idsAbove(
  stores: FleetStores,
  target: ResourceTarget,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>([targetId(target), target.organizationId]);
  if ('machineId' in target) ids.add(target.machineId);
  if (!('locationId' in target)) return ids;
  const parents = await parentsIn(stores, target.organizationId);
  const seen = new Set<LocationId>();
  // A circle, which no service should have, ends where it began.
  for (
    let at: LocationId | undefined = target.locationId;
    at !== undefined && !seen.has(at);
    at = parents.get(at)
  ) {
    seen.add(at);
    ids.add(at);
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
