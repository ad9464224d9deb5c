import { type LocationId, locationId, organizationId } from '../../../../core/model/ids';
import { listDescendants } from '../../../../core/model/locationTree';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import type { DataFilter } from '../../../../shared/data/dataFilter';

/**
 * Returns the locations of a filter and all locations nested in them, because the wire protocol
 * filters only by the single location that captured an item (spec part 1, Filter). Omits the nested
 * locations of an organization whose locations can't be read.
 */
export async function locationsInside(
  { locations }: Pick<FleetStores, 'locations'>,
  filter: Pick<DataFilter, 'organizations' | 'locations'>,
): Promise<readonly LocationId[]> {
  const chosen = filter.locations.map(locationId);
  if (chosen.length === 0) return [];
  const lists = await Promise.all(
    filter.organizations.map((id) => locations.list(organizationId(id)).catch(() => [])),
  );
  const all = lists.flat();
  const inside = chosen.flatMap((id) => listDescendants(id, all).map((location) => location.id));
  return [...new Set([...chosen, ...inside])];
}
