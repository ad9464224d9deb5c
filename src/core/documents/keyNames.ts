import type { OrganizationId } from '../model/ids';
import type { FleetStores } from '../stores/fleetStores';
import type { DocumentSubject } from './documentAddress';

/** Names of API keys by their IDs. */
export type KeyNames = ReadonlyMap<string, string>;

/**
 * Reads the names of the API keys that might have edited a document, which are the keys of the
 * organization that owns the document. Returns none for users who can't list the keys.
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

async function findOrganization(
  stores: FleetStores,
  subject: DocumentSubject,
  signal: AbortSignal | undefined,
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
