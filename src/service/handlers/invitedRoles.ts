import type { Authorization } from '../../gen/viam/app/v1/authorization_pb';
import { grantableRole } from '../auth/authorizer';
import type { Principal } from '../auth/principal';
import { invalid } from '../errors';
import type { InvitedRole } from '../store/invites';
import type { StoreAccess } from '../store/store';

/**
 * Returns the roles that a request adds to an invitation or removes from it.
 * @throws InvalidArgument for a resource outside the organization, and the errors of
 *   `grantableRole`.
 */
export async function rolesToInvite(
  access: StoreAccess,
  principal: Principal,
  organizationId: string,
  messages: readonly Authorization[],
): Promise<InvitedRole[]> {
  const roles: InvitedRole[] = [];
  for (const message of messages) {
    const { organization_id, role, resource_type, resource_id } = await grantableRole(
      access,
      principal,
      message,
    );
    if (organization_id !== organizationId) {
      throw invalid(
        `resource_id: ${resource_type} "${resource_id}" is not in the organization of the invite`,
      );
    }
    roles.push({ role, resource_type, resource_id });
  }
  return roles;
}

/**
 * Checks the authorizations that an update removes from an invitation. An update can't remove an
 * invitation's only authorization (spec part 3).
 * @throws InvalidArgument with the recommended action.
 */
export function checkRemoval(
  current: readonly InvitedRole[],
  added: readonly InvitedRole[],
  removed: readonly InvitedRole[],
): void {
  const both = removed.find((role) => includesRole(added, role));
  if (both !== undefined) {
    throw invalid(`remove_authorizations: ${describeRole(both)} is added by the same call`);
  }
  const absent = removed.find((role) => !includesRole(current, role));
  if (absent !== undefined) {
    throw invalid(`remove_authorizations: the invitation doesn't have ${describeRole(absent)}`);
  }
  if (removed.length > 0 && current.every((role) => includesRole(removed, role))) {
    throw invalid(
      `remove_authorizations: this would remove ${current.length === 1 ? 'the only role' : 'every role'} ` +
        'of the invitation: delete the invitation instead, or add another role first',
    );
  }
}

function includesRole(roles: readonly InvitedRole[], wanted: InvitedRole): boolean {
  return roles.some(
    (role) =>
      role.role === wanted.role &&
      role.resource_type === wanted.resource_type &&
      role.resource_id === wanted.resource_id,
  );
}

function describeRole({ role, resource_type, resource_id }: InvitedRole): string {
  return `${role} of ${resource_type} "${resource_id}"`;
}
