import { FleetError } from '../api/errors';
import type { Organization } from '../model/entities';
import type { ConnectionId, PartId } from '../model/ids';
import type { PartTarget } from '../model/resourceTarget';
import type { FleetStores } from './fleetStores';

/** A part with all that it is in, found by its id alone. */
export interface FoundPart {
  readonly target: PartTarget;
  readonly organization: Organization;
}

/** @throws FleetError `notFound` when no organization of this connection has it. */
export async function findPart(
  stores: FleetStores,
  connectionId: ConnectionId,
  partId: PartId,
): Promise<FoundPart> {
  const part = await stores.parts.get(partId);
  const machine = await stores.machines.get(part.machineId);
  let found: { readonly organization: Organization; readonly owned: boolean } | undefined;
  for (const organization of await stores.organizations.list()) {
    const locations = await stores.locations.list(organization.id);
    const location = locations.find(({ id }) => id === machine.locationId);
    if (!location) continue;
    // A shared location is in the list of others too: the one that owns it counts, if it is in sight.
    const owned = location.owner === undefined;
    if (owned || !found) found = { organization, owned };
    if (owned) break;
  }
  if (!found) {
    const message = `No organization of this connection has the part "${part.name}".`;
    throw new FleetError('notFound', message);
  }
  const target: PartTarget = {
    kind: 'part',
    connectionId,
    organizationId: found.organization.id,
    locationId: machine.locationId,
    machineId: machine.id,
    machineName: machine.name,
    partId,
    name: part.name,
  };
  return { target, organization: found.organization };
}
