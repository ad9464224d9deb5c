import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import type { FleetStores } from '../../../core/stores/fleetStores';
import type { FleetTools } from '../../platform/fleetTools';
import { onlyOrganization } from '../../platform/prompts/onlyOrganization';
import { requireConnection } from '../../platform/sessionProvider';
import { requireRight } from '../../platform/permissions/requireRight';
import type { SubmitSubject } from './submitSubject';
import type { LocalFleetStatus } from '../../platform/featureInterfaces';

/** Organization for a new job, and the stores for submitting it. */
export interface SubmitTarget {
  readonly target: OrganizationTarget;
  readonly stores: FleetStores;
}

/**
 * Returns the organization for the training job: the clicked item's organization, the only
 * organization, or an organization that the user selects. Checks before any other prompt that the
 * key is an owner, because only owners can train models. Throws `canceled` and `permission`.
 */
export async function resolveSubmitTarget(
  { sessions, pickTarget }: Pick<FleetTools, 'sessions' | 'pickTarget'>,
  subject: SubmitSubject,
): Promise<SubmitTarget> {
  const { id: connectionId } = requireConnection(sessions, subject.connectionId);
  const stores = sessions.stores(connectionId);
  // A script or model from the public registry might belong to another organization.
  const own = (await stores.organizations.list()).find(({ id }) => id === subject.organizationId);
  const target: OrganizationTarget = own
    ? { kind: 'organization', connectionId, organizationId: own.id, name: own.name }
    : await onlyOrganization({ sessions, pickTarget }, connectionId);
  await requireRight(stores, target, 'train');
  return { target, stores };
}

/** Dependencies for submitting training jobs. */
export interface TrainingSubmitTools extends FleetTools {
  readonly localFleet: Pick<LocalFleetStatus, 'runsScripts'>;
  readonly presentError: (error: unknown) => void;
}
