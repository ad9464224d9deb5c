import { forEachBounded } from '../../base/bounded';
import type { Location, Machine, Organization } from '../model/entities';
import type { LocationId } from '../model/ids';
import { pathTo } from '../model/locationTree';
import { inNameOrder } from '../model/nameOrder';
import type { FleetStores } from '../stores/fleetStores';

const CONCURRENT_LISTS = 8;

/** Machine with its locations, outermost first. */
export interface ListedMachine {
  readonly machine: Machine;
  readonly locations: readonly Location[];
}

/** Listing of an organization's machines and locations. */
export interface OrganizationListing {
  readonly organization: Organization;
  readonly locations: readonly Location[];
  /** All machines, sorted by name regardless of their locations. */
  readonly machines: readonly ListedMachine[];
  /** Number of locations whose machines couldn't be read. */
  readonly failed: number;
}

/**
 * Returns the locations of an organization, including those that other organizations share with it,
 * and their machines. Makes one call for each location whose list isn't cached yet, a few at a
 * time. Throws if the locations can't be read.
 */
export async function listOrganization(
  stores: FleetStores,
  organization: Organization,
  signal: AbortSignal,
): Promise<OrganizationListing> {
  const locations = await stores.locations.list(organization.id, { signal });
  const byId = new Map(locations.map((location) => [location.id, location]));
  const found = new Map<LocationId, readonly Machine[]>();
  let failed = 0;
  await forEachBounded(locations, CONCURRENT_LISTS, async ({ id }) => {
    signal.throwIfAborted();
    try {
      found.set(id, await stores.machines.list(id, { signal }));
    } catch (error) {
      if (signal.aborted) throw error;
      failed += 1;
    }
  });
  const namedMachines = locations.flatMap(({ id }) => {
    const path = pathTo(id, byId);
    return (found.get(id) ?? []).map((machine) => ({
      name: machine.name,
      listed: { machine, locations: path },
    }));
  });
  const machines = inNameOrder(namedMachines).map(({ listed }) => listed);
  return { organization, locations, machines, failed };
}
