import type { Location, Machine } from '../model/entities';
import type { ResourceTarget } from '../model/resourceTarget';
import { findLocation } from '../stores/findLocation';
import type { FleetStores } from '../stores/fleetStores';
import type { DocumentAddress } from './documentAddress';

/**
 * Returns the resource of a document; undefined if the current API key can't access the resource.
 * @throws FleetError
 */
export async function findDocumentTarget(
  stores: FleetStores,
  { connectionId, subject }: DocumentAddress,
): Promise<ResourceTarget | undefined> {
  switch (subject.type) {
    case 'organizationMetadata': {
      const { id, name } = await stores.organizations.get(subject.id);
      return { kind: 'organization', connectionId, organizationId: id, name };
    }
    case 'fragmentConfig': {
      const { id, organizationId, name } = await stores.fragments.get(subject.id);
      return { kind: 'fragment', connectionId, organizationId, fragmentId: id, name };
    }
    case 'locationMetadata': {
      const location = await findLocation(stores, subject.id);
      return (
        location && {
          kind: 'location',
          connectionId,
          ...toLocationIds(location),
          name: location.name,
        }
      );
    }
    case 'machineMetadata': {
      const machine = await stores.machines.get(subject.id);
      const location = await findLocation(stores, machine.locationId);
      return location && { ...machineIn(machine, location), connectionId };
    }
    case 'partConfig':
    case 'partMetadata': {
      const part = await stores.parts.get(subject.id);
      const machine = await stores.machines.get(part.machineId);
      const location = await findLocation(stores, machine.locationId);
      if (!location) return undefined;
      const { name: machineName, ...above } = machineIn(machine, location);
      return {
        ...above,
        kind: 'part',
        connectionId,
        machineName,
        partId: part.id,
        name: part.name,
      };
    }
  }
}

function machineIn(machine: Machine, location: Location) {
  return {
    kind: 'machine',
    ...toLocationIds(location),
    machineId: machine.id,
    name: machine.name,
  } as const;
}

function toLocationIds({ organizationId, id }: Location) {
  return { organizationId, locationId: id };
}
