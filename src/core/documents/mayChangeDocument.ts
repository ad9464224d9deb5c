import { EVERYTHING, hasRight, type RightsKind, type RoleScope } from '../model/permissions';
import type { FleetStores } from '../stores/fleetStores';
import type { DocumentSubject, SubjectType } from './documentAddress';

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
export async function mayChangeDocument(
  stores: FleetStores,
  subject: DocumentSubject,
): Promise<boolean> {
  try {
    const [granted = EVERYTHING] = await stores.access.mayOn([await getRoleScope(stores, subject)]);
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
