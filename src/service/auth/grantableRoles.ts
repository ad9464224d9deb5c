import type { Authorization } from '../../gen/viam/app/v1/authorization_pb';
import { invalid } from '../errors';
import { roleOnResource } from '../messages/authorizationMessages';
import type { AuthorizationRow, ResourceType } from '../store/schema';
import type { StoreAccess } from '../store/store';
import { requirePermission } from './authorizer';
import type { Permission } from './permissions';
import type { Principal } from './principal';

/**
 * Permissions required to grant roles on a resource. They are the same as those for changing the
 * resource.
 */
export const ADMINISTERING_PERMISSIONS: Record<ResourceType, Permission> = {
  organization: 'write_organization',
  location: 'write_location',
  robot: 'write_robot',
};

/** Role on a resource, without its holder. */
export type GrantableRole = Omit<AuthorizationRow, 'identity_id' | 'identity_type'>;

/**
 * Reads the role of a request, and checks that the caller can grant or revoke it.
 * @throws InvalidArgument if the role is malformed or its resource is in another organization,
 *   NotFound if the caller can't read the resource, PermissionDenied if the caller can't administer
 *   it.
 */
export async function grantableRole(
  access: StoreAccess,
  principal: Principal,
  message: Authorization,
): Promise<GrantableRole> {
  const { role, resourceType, resourceId } = roleOnResource(message);
  const path = await requirePermission(access, principal, ADMINISTERING_PERMISSIONS[resourceType], {
    type: resourceType,
    id: resourceId,
  });
  if (message.organizationId !== '' && message.organizationId !== path.organizationId) {
    throw invalid(`organization_id: ${resourceType} "${resourceId}" is not in it`);
  }
  return {
    organization_id: path.organizationId,
    role,
    resource_type: resourceType,
    resource_id: resourceId,
  };
}
