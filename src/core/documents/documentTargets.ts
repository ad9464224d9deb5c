import type {
  FragmentTarget,
  LocationTarget,
  MachineTarget,
  OrganizationTarget,
  PartTarget,
  ResourceTarget,
} from '../model/resourceTarget';
import type { DocumentAddress } from './documentAddress';
import { findLocationTarget, findMachineTarget, findPartTarget } from '../stores/findMachines';
import type { FleetStores } from '../stores/fleetStores';

/** Returns the address of a part's or fragment's config. */
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
    case 'locationMetadata':
      return findLocationTarget(stores, connectionId, subject.id);
    case 'machineMetadata':
      return findMachineTarget(stores, connectionId, subject.id);
    case 'partConfig':
    case 'partMetadata':
      return findPartTarget(stores, connectionId, subject.id);
  }
}
