import { pathTo } from '../model/locationTree';
import { type ResourceTarget, targetId } from '../model/resourceTarget';
import type { FleetStores } from './fleetStores';

/** Returns the IDs of a resource and of all its parents. */
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
