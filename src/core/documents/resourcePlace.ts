import type { OrganizationId } from '../model/ids';
import type { FleetStores } from '../stores/fleetStores';
import type { DocumentSubject } from './documentAddress';

/** The names above a document's resource and its own, for showing and for confirmations. */
export interface ResourcePlace {
  readonly organization: string | undefined;
  readonly location: string | undefined;
  /** Of a machine or a part. */
  readonly machine: string | undefined;
  /** The resource's own name. */
  readonly name: string;
}

const NOWHERE = { organization: undefined, location: undefined, machine: undefined };

/** Reads where a resource is now, from the stores' caches where they have it. @throws FleetError */
export async function findResourcePlace(
  stores: FleetStores,
  subject: DocumentSubject,
  signal?: AbortSignal,
): Promise<ResourcePlace> {
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
      const organization = organizationName || (await nameOf(stores, organizationId, signal));
      return { ...NOWHERE, organization, name };
    }
  }
}

/** There is no call that tells a location's organization by its id: the lists of all are searched. */
async function findLocation(
  stores: FleetStores,
  id: string,
  signal: AbortSignal | undefined,
): Promise<Omit<ResourcePlace, 'name'>> {
  for (const organization of await stores.organizations.list({ signal })) {
    const locations = await stores.locations.list(organization.id, { signal });
    const location = locations.find((candidate) => candidate.id === id);
    if (location) {
      return { ...NOWHERE, organization: organization.name, location: location.name };
    }
  }
  return NOWHERE;
}

async function nameOf(
  stores: FleetStores,
  id: OrganizationId,
  signal: AbortSignal | undefined,
): Promise<string> {
  return (await stores.organizations.get(id, { signal })).name;
}
