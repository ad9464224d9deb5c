import { FleetError } from '../api/errors';
import type { Organization } from '../model/entities';
import type { ConnectionId, PartId } from '../model/ids';
import type { PartTarget } from '../model/resourceTarget';
import { findLocation } from './findLocation';
import type { FleetStores } from './fleetStores';

/** Part and its parents, found only by the part's ID. */
export interface FoundPart {
  readonly target: PartTarget;
  readonly organization: Organization;
}

/**
 * Finds a part by its ID. @throws FleetError `notFound` if no organization of this connection
 * contains the part.
 */
export async function findPart(
  stores: FleetStores,
  connectionId: ConnectionId,
  partId: PartId,
): Promise<FoundPart> {
  const part = await stores.parts.get(partId);
  const machine = await stores.machines.get(part.machineId);
  const found = await findLocation(stores, machine.locationId);
  if (!found) {
    const message = `No organization of this connection has the part "${part.name}".`;
    throw new FleetError('notFound', message);
  }
  const target: PartTarget = {
    kind: 'part',
    connectionId,
    organizationId: found.organizationId,
    locationId: machine.locationId,
    machineId: machine.id,
    machineName: machine.name,
    partId,
    name: part.name,
  };
  return { target, organization: await stores.organizations.get(found.organizationId) };
}
