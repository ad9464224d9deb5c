import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import type { FleetStores } from '../../../core/stores/fleetStores';
import type { FleetTools } from '../../platform/fleetTools';
import { onlyOrganization } from '../../platform/prompts/onlyOrganization';
import { requireConnection } from '../../platform/sessionProvider';
import { requireRight } from '../../platform/permissions/requireRight';
import type { SubmitSubject } from './submitSubject';
import type { LocalFleetStatus } from '../../platform/featureInterfaces';
import { canceled, FleetError } from '../../../core/api/errors';

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

/**
 * Throws if the service doesn't run training scripts. Must be called before any other prompt. For
 * the local fleet, prompts for permission and for the restart. Throws `canceled`, and `conflict` if
 * another service reports that it doesn't run scripts. Services that don't report whether they run
 * scripts are assumed to run them.
 * @param formatRejection returns the message for a service that doesn't run scripts
 */
export async function requireScripts(
  {
    sessions,
    commands,
    localFleet,
  }: Pick<TrainingSubmitTools, 'sessions' | 'commands' | 'localFleet'>,
  { connectionId, organizationId }: Pick<OrganizationTarget, 'connectionId' | 'organizationId'>,
  formatRejection: () => string,
): Promise<void> {
  if (sessions.connection(connectionId)?.kind === 'local') {
    if (await localFleet.runsScripts()) return;
    await commands.execute('fleetwright.localFleet.allowScripts');
    // Canceling the permission prompt also cancels this command.
    if (!(await localFleet.runsScripts())) throw canceled();
    return;
  }
  const { training } = sessions.stores(connectionId);
  if ((await training.runsScripts(organizationId)) !== false) return;
  throw new FleetError('conflict', formatRejection());
}
