import type {
  FragmentTarget,
  LocationTarget,
  MachineTarget,
  OrganizationTarget,
  PartTarget,
} from '../model/resourceTarget';
import type { DocumentAddress } from './documentAddress';

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
