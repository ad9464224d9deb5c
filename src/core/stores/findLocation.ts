import type { Location } from '../model/entities';
import type { LocationId } from '../model/ids';
import type { FleetStores } from './fleetStores';

/**
 * A location by its id alone, as the lists of the organizations in sight have it; undefined when none
 * has. A shared location is in several lists: that of the organization it belongs to counts, if it is
 * in sight.
 */
export async function findLocation(
  stores: FleetStores,
  id: LocationId,
): Promise<Location | undefined> {
  let shared: Location | undefined;
  for (const organization of await stores.organizations.list()) {
    const locations = await stores.locations.list(organization.id);
    const found = locations.find((location) => location.id === id);
    if (!found) continue;
    if (found.owner === undefined || found.owner.id === organization.id) return found;
    shared ??= found;
  }
  return shared;
}
