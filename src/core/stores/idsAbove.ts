import { pathTo } from '../model/locationTree';
import { type ResourceTarget, targetId } from '../model/resourceTarget';
import type { FleetStores } from './fleetStores';

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
  // A location that was removed from the lists is still the parent of its contents.
  return ids.add(target.locationId);
}
