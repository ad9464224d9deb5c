import type { Connection } from '../model/connection';
import type { MachineTarget } from '../model/resourceTarget';
import type { FleetStores } from '../stores/fleetStores';

/** Number of locations without machines after which the search stops. */
const MAX_LOCATIONS = 20;

/**
 * Finds a machine to show to a user who is new to a fleet, in the first location that has machines.
 * Prefers a machine that is online. Returns undefined if the first locations have no machines.
 */
export async function findFirstMachine(
  stores: FleetStores,
  { id: connectionId }: Pick<Connection, 'id'>,
): Promise<MachineTarget | undefined> {
  let remaining = MAX_LOCATIONS;
  for (const { id: organizationId } of await stores.organizations.list()) {
    const locations = await stores.locations.list(organizationId);
    for (const { id: locationId } of locations.filter(({ machineCount }) => machineCount > 0)) {
      const machines = await stores.machines.list(locationId);
      const machine = machines.find(({ status }) => status === 'online') ?? machines[0];
      if (machine) {
        const { id: machineId, name } = machine;
        return { kind: 'machine', connectionId, organizationId, locationId, machineId, name };
      }
      remaining -= 1;
      if (remaining === 0) return undefined;
    }
  }
  return undefined;
}
