import type { AccessTarget } from '../../../core/model/accessTarget';
import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import type { FleetStores } from '../../../core/stores/fleetStores';
import type { FleetTools } from '../../platform/fleetTools';
import { requireRight } from '../../platform/requireRight';

/** Organization whose access is viewed or changed, and the stores of its connection. */
export interface AccessContext {
  readonly organization: OrganizationTarget;
  readonly stores: FleetStores;
}

/** Returns the organization of a command's target, or prompts for one. */
export async function resolveAccessContext(
  { sessions, pickTarget }: FleetTools,
  given: OrganizationTarget | AccessTarget | undefined,
): Promise<AccessContext> {
  if (given === undefined || given.kind === 'organization') {
    const organization = given ?? (await pickTarget('organization'));
    return { organization, stores: sessions.stores(organization.connectionId) };
  }
  const { connectionId, organizationId } = given;
  const stores = sessions.stores(connectionId);
  const { name } = await stores.organizations.get(organizationId);
  return { organization: { kind: 'organization', connectionId, organizationId, name }, stores };
}

/**
 * Throws `permission` if the API key doesn't have permission to change the members of the
 * organization. The error names the users to contact.
 */
export async function requireOwnership({ organization, stores }: AccessContext): Promise<void> {
  await requireRight(stores, organization, 'administer');
}
