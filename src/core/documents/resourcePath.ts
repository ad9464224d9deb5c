import { FleetError, type FleetErrorKind } from '../api/errors';
import type { LocationId, OrganizationId } from '../model/ids';
import type { FleetStores } from '../stores/fleetStores';
import type { DocumentSubject } from './documentAddress';

/** Names of a document's resource and of its parents, for display and confirmations. */
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

/**
 * Reads the current path of a resource, if possible from the caches of the stores. @throws
 * FleetError
 */
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
 * Returns the names of the parents of a machine; all of them are undefined if the key doesn't have
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
