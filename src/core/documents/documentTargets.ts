import type {
  FragmentTarget,
  LocationTarget,
  MachineTarget,
  OrganizationTarget,
  PartTarget,
  ResourceTarget,
} from '../model/resourceTarget';
import type { DocumentAddress } from './documentAddress';
import type { Location, Machine } from '../model/entities';
import { findLocation } from '../stores/findMachines';
import type { FleetStores } from '../stores/fleetStores';

/** Returns the address of the config of a part or fragment. */
export function configAddress(target: PartTarget | FragmentTarget): DocumentAddress {
  const { connectionId } = target;
  return target.kind === 'part'
    ? { connectionId, subject: { type: 'partConfig', id: target.partId } }
    : { connectionId, subject: { type: 'fragmentConfig', id: target.fragmentId } };
}

/** Returns the address of a resource's metadata; undefined for fragments, which have none. */
export function metadataAddress(
  target: OrganizationTarget | LocationTarget | MachineTarget | PartTarget,
): DocumentAddress {
  const { connectionId } = target;
  switch (target.kind) {
    case 'organization':
      return { connectionId, subject: { type: 'organizationMetadata', id: target.organizationId } };
    case 'location':
      return { connectionId, subject: { type: 'locationMetadata', id: target.locationId } };
    case 'machine':
      return { connectionId, subject: { type: 'machineMetadata', id: target.machineId } };
    case 'part':
      return { connectionId, subject: { type: 'partMetadata', id: target.partId } };
  }
}

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
