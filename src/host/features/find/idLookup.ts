import { FleetError } from '../../../core/api/errors';
import type { Organization } from '../../../core/model/entities';
import {
  type ConnectionId,
  datasetId,
  fragmentId,
  type LocationId,
  machineId,
  partId,
} from '../../../core/model/ids';
import { pathNames } from '../../../core/model/locationTree';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { datasetEntry, type FindEntry, fragmentEntry, machineEntry, partEntry } from './findIndex';

const ID = /^[0-9a-z][0-9a-z-]{7,}$/i;

/** Returns true if a string looks like a resource ID, which makes a lookup worthwhile. */
export function isIdLike(text: string): boolean {
  return ID.test(text) && /\d/.test(text);
}

/**
 * Looks up a machine, part, fragment, or dataset by its ID, without reading the whole fleet.
 * Doesn't look up organizations and locations, because their short lists are always read.
 */
export async function findById(
  id: string,
  connectionId: ConnectionId,
  stores: FleetStores,
  signal: AbortSignal,
): Promise<readonly FindEntry[]> {
  const find = async (lookUp: () => Promise<FindEntry | undefined>): Promise<FindEntry[]> => {
    try {
      const entry = await lookUp();
      return entry ? [entry] : [];
    } catch (error) {
      if (signal.aborted || !(error instanceof FleetError)) throw error;
      return [];
    }
  };
  const found = await Promise.all([
    find(async () => {
      const part = await stores.parts.get(partId(id), { signal });
      const machine = await stores.machines.get(part.machineId, { signal });
      const locationPath = await findLocationPath(machine.locationId, stores, signal);
      return (
        locationPath &&
        partEntry(connectionId, locationPath.organization, machine, part, locationPath.path)
      );
    }),
    find(async () => {
      const machine = await stores.machines.get(machineId(id), { signal });
      const locationPath = await findLocationPath(machine.locationId, stores, signal);
      return (
        locationPath &&
        machineEntry(connectionId, locationPath.organization, machine, locationPath.path)
      );
    }),
    find(async () => {
      const fragment = await stores.fragments.get(fragmentId(id), { signal });
      const organizations = await stores.organizations.list({ signal });
      const owner = organizations.find((one) => one.id === fragment.organizationId);
      return owner && fragmentEntry(connectionId, owner, fragment);
    }),
    find(async () => {
      const dataset = await stores.datasets.get(datasetId(id), signal);
      const organizations = await stores.organizations.list({ signal });
      const owner = organizations.find((one) => one.id === dataset.organizationId);
      return owner && datasetEntry(connectionId, owner, dataset);
    }),
  ]);
  return found.flat();
}

async function findLocationPath(
  locationId: LocationId,
  stores: FleetStores,
  signal: AbortSignal,
): Promise<{ readonly organization: Organization; readonly path: readonly string[] } | undefined> {
  for (const organization of await stores.organizations.list({ signal })) {
    const locations = await stores.locations.list(organization.id, { signal });
    const byId = new Map(locations.map((location) => [location.id, location]));
    if (!byId.has(locationId)) continue;
    return { organization, path: [organization.name, ...pathNames(locationId, byId)] };
  }
  return undefined;
}
