import type { Location } from '../model/entities';
import type { LocationId } from '../model/ids';
import type { FleetStores } from './fleetStores';

/**
 * Finds a location by ID in the lists of the visible organizations; returns undefined if no list
 * contains it. A shared location is in more than one list. The list of its own organization takes
 * precedence if that organization is visible.
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
