import type { Dataset } from '../../../core/model/dataset';
import type {
  FragmentSummary,
  Location,
  Machine,
  Organization,
  PartSummary,
} from '../../../core/model/entities';
import type { ConnectionId } from '../../../core/model/ids';
import type { RegistryItem } from '../../../core/model/registryItem';
import type { FindEntry } from './findIndex';

export function organizationEntry(
  connectionId: ConnectionId,
  { id, name }: Organization,
): FindEntry {
  return { target: { kind: 'organization', connectionId, organizationId: id, name }, path: [] };
}

export function locationEntry(
  connectionId: ConnectionId,
  { id, organizationId, name }: Location,
  path: readonly string[],
): FindEntry {
  return { target: { kind: 'location', connectionId, organizationId, locationId: id, name }, path };
}

export function machineEntry(
  connectionId: ConnectionId,
  organization: Organization,
  { id, locationId, name }: Machine,
  path: readonly string[],
): FindEntry {
  const organizationId = organization.id;
  return {
    target: { kind: 'machine', connectionId, organizationId, locationId, machineId: id, name },
    path,
  };
}

/** @param path path of the machine. */
export function partEntry(
  connectionId: ConnectionId,
  organization: Organization,
  machine: Machine,
  { id, name }: PartSummary,
  path: readonly string[],
): FindEntry {
  return {
    target: {
      kind: 'part',
      connectionId,
      organizationId: organization.id,
      locationId: machine.locationId,
      machineId: machine.id,
      machineName: machine.name,
      partId: id,
      name,
    },
    path: [...path, machine.name],
  };
}

export function fragmentEntry(
  connectionId: ConnectionId,
  organization: Organization,
  { id, name }: FragmentSummary,
): FindEntry {
  return {
    target: {
      kind: 'fragment',
      connectionId,
      organizationId: organization.id,
      fragmentId: id,
      name,
    },
    path: [organization.name],
  };
}

export function datasetEntry(
  connectionId: ConnectionId,
  organization: Organization,
  { id, name }: Dataset,
): FindEntry {
  return {
    target: {
      kind: 'dataset',
      connectionId,
      organizationId: organization.id,
      datasetId: id,
      name,
    },
    path: [organization.name],
  };
}

export function registryItemEntry(
  connectionId: ConnectionId,
  organization: Organization,
  { id, type, name }: RegistryItem,
): FindEntry {
  return {
    target: {
      kind: 'registryItem',
      connectionId,
      organizationId: organization.id,
      itemId: id,
      itemType: type,
      name,
    },
    path: [organization.name],
  };
}
