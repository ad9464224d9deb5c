import { FleetError, type FleetErrorKind } from '../api/errors';
import type { LocationId, OrganizationId } from '../model/ids';
import type { FleetStores } from '../stores/fleetStores';
import type { DocumentAddress, DocumentSubject, SubjectType } from './documentAddress';
import { EVERYTHING, hasRight, type RightsKind, type RoleScope } from '../model/permissions';
import type {
  FragmentTarget,
  LocationTarget,
  MachineTarget,
  OrganizationTarget,
  PartTarget,
  ResourceTarget,
} from '../model/resourceTarget';
import { findLocationTarget, findMachineTarget, findPartTarget } from '../stores/findMachines';

/** Names of a document's resource and its parents, for display and confirmations. */
export interface ResourcePath {
  readonly organization: string | undefined;
  readonly location: string | undefined;
  /** Name of the machine if the resource is a machine or a part. */
  readonly machine: string | undefined;
  /** The resource's own name. */
  readonly name: string;
}

const UNREADABLE: ReadonlySet<FleetErrorKind> = new Set(['notFound', 'permission']);
const NOWHERE = { organization: undefined, location: undefined, machine: undefined };

/** Reads a resource's current path, if possible from the stores' caches. @throws FleetError */
export async function findResourcePath(
  stores: FleetStores,
  subject: DocumentSubject,
  signal?: AbortSignal,
): Promise<ResourcePath> {
  const options = { signal };
  switch (subject.type) {
    case 'organizationMetadata': {
      const { name } = await stores.organizations.get(subject.id, options);
      return { ...NOWHERE, organization: name, name };
    }
    case 'locationMetadata': {
      const found = await findLocation(stores, subject.id, signal);
      return { ...NOWHERE, ...found, name: found.location ?? subject.id };
    }
    case 'machineMetadata': {
      const { name, locationId } = await stores.machines.get(subject.id, options);
      return { ...(await findLocation(stores, locationId, signal)), machine: name, name };
    }
    case 'partConfig':
    case 'partMetadata': {
      const part = await stores.parts.get(subject.id, options);
      const machine = await stores.machines.get(part.machineId, options);
      const above = await findLocation(stores, machine.locationId, signal);
      return { ...above, machine: machine.name, name: part.name };
    }
    case 'fragmentConfig': {
      const { name, organizationName, organizationId } = await stores.fragments.get(
        subject.id,
        options,
      );
      const organization =
        organizationName || (await getOrganizationName(stores, organizationId, signal));
      return { ...NOWHERE, organization, name };
    }
  }
}

/**
 * Returns the names of a machine's parents; all names are undefined if the key doesn't have
 * permission to read them.
 */
async function findLocation(
  stores: FleetStores,
  id: LocationId,
  signal: AbortSignal | undefined,
): Promise<Omit<ResourcePath, 'name'>> {
  try {
    const { name, organizationId, owner } = await stores.locations.get(id, { signal });
    const organization = owner?.name || (await getOrganizationName(stores, organizationId, signal));
    return { ...NOWHERE, organization, location: name };
  } catch (error) {
    if (error instanceof FleetError && UNREADABLE.has(error.kind)) return NOWHERE;
    throw error;
  }
}

async function getOrganizationName(
  stores: FleetStores,
  id: OrganizationId,
  signal: AbortSignal | undefined,
): Promise<string> {
  return (await stores.organizations.get(id, { signal })).name;
}

/** Names of API keys by their IDs. */
export type KeyNames = ReadonlyMap<string, string>;

/**
 * Reads the names of the API keys that might have edited a document, that is, the keys for the
 * organization that owns the document. Returns an empty map for users who can't list the keys.
 */
export async function findKeyNames(
  stores: FleetStores,
  subject: DocumentSubject,
  signal?: AbortSignal,
): Promise<KeyNames> {
  try {
    const organization = await findOrganization(stores, subject, signal);
    const keys = await stores.apiKeys.list(organization, { signal, fresh: true });
    return new Map(keys.map(({ id, name }) => [id, name]));
  } catch {
    // Without names, the IDs identify the keys.
    return new Map();
  }
}

/** Returns a resource's organization. @throws FleetError */
export async function findOrganization(
  stores: FleetStores,
  subject: DocumentSubject,
  signal?: AbortSignal,
): Promise<OrganizationId> {
  const options = { signal };
  switch (subject.type) {
    case 'organizationMetadata':
      return subject.id;
    case 'fragmentConfig':
      return (await stores.fragments.get(subject.id, options)).organizationId;
    case 'partConfig':
    case 'partMetadata': {
      const { machineId: id } = await stores.parts.get(subject.id, options);
      return findOrganization(stores, { type: 'machineMetadata', id }, signal);
    }
    case 'machineMetadata': {
      const { locationId: id } = await stores.machines.get(subject.id, options);
      return findOrganization(stores, { type: 'locationMetadata', id }, signal);
    }
    case 'locationMetadata': {
      const { owner, organizationId } = await stores.locations.get(subject.id, options);
      return owner?.id ?? organizationId;
    }
  }
}

const KINDS: Readonly<Record<SubjectType, RightsKind>> = {
  partConfig: 'part',
  partMetadata: 'part',
  fragmentConfig: 'fragment',
  organizationMetadata: 'organization',
  locationMetadata: 'location',
  machineMetadata: 'machine',
};

/**
 * Returns true if the API key has permission to save a document, or if that can't be determined,
 * because the service checks the permission on each save. Never throws.
 */
export async function canChangeDocument(
  stores: FleetStores,
  subject: DocumentSubject,
): Promise<boolean> {
  try {
    const [granted = EVERYTHING] = await stores.access.getPermissions([
      await getRoleScope(stores, subject),
    ]);
    return hasRight(KINDS[subject.type], granted, 'administer');
  } catch {
    // The resource itself can't be read. The code that reads the document reports this problem.
    return true;
  }
}

async function getRoleScope(stores: FleetStores, subject: DocumentSubject): Promise<RoleScope> {
  switch (subject.type) {
    case 'organizationMetadata':
      return { type: 'organization', id: subject.id };
    case 'locationMetadata':
      return { type: 'location', id: subject.id };
    case 'machineMetadata':
      return { type: 'robot', id: subject.id };
    case 'partConfig':
    case 'partMetadata':
      return { type: 'robot', id: (await stores.parts.get(subject.id)).machineId };
    case 'fragmentConfig':
      return { type: 'organization', id: (await stores.fragments.get(subject.id)).organizationId };
  }
}

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
