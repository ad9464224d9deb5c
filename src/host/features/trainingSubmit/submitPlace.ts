import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import type { FleetStores } from '../../../core/stores/fleetStores';
import type { FleetTools } from '../../platform/fleetTools';
import { onlyOrganization } from '../../platform/onlyOrganization';
import { requireConnection } from '../../platform/requireConnection';
import { requireRight } from '../../platform/requireRight';
import type { SubmitSubject } from './submitSubject';

/** The organization that gets a job, and the stores that it is submitted through. */
export interface SubmitPlace {
  readonly target: OrganizationTarget;
  readonly stores: FleetStores;
}

/**
 * The organization that trains: that of what was clicked, the only one, or one that is asked for. Only
 * who owns it may train, which is said before anything is asked. Throws `canceled` and `permission`.
 */
export async function submitPlace(
  { sessions, pickTarget }: Pick<FleetTools, 'sessions' | 'pickTarget'>,
  subject: SubmitSubject,
): Promise<SubmitPlace> {
  const { id: connectionId } = requireConnection(sessions, subject.connectionId);
  const stores = sessions.stores(connectionId);
  // A script or a model that was found in the public registry is of somebody else.
  const own = (await stores.organizations.list()).find(({ id }) => id === subject.organizationId);
  const target: OrganizationTarget = own
    ? { kind: 'organization', connectionId, organizationId: own.id, name: own.name }
    : await onlyOrganization({ sessions, pickTarget }, connectionId);
  await requireRight(stores, target, 'train');
  return { target, stores };
}
