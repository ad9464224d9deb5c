import { failedPrecondition, invalid, notFound, permissionDenied } from '../errors';
import { listMachineLocationIds } from '../store/locations';
import { resolvePath, type ResourcePath, type ResourceRef } from '../store/resourcePath';
import type { StoreAccess } from '../store/store';
import { grantedMachineIds, type Principal } from './principal';
import { grantsPermissionByShare } from './permissions';
import { grantsPermission } from './permissions';
import { type Permission } from './permissions';
import { hasOwner } from '../store/authorizations';
import type { Authorization } from '../../gen/viam/app/v1/authorization_pb';
import { roleOnResource } from '../messages/organizationMessages';
import type { AuthorizationRow, ResourceType } from '../store/schema';

const KIND_NAMES: Record<ResourceRef['type'], string> = {
  organization: 'organization',
  location: 'location',
  robot: 'machine',
  part: 'part',
  fragment: 'fragment',
  dataset: 'dataset',
  trainingJob: 'training job',
};

/** Permissions that allow a caller to learn that a resource exists. */
const READ_PERMISSIONS: Record<ResourceRef['type'], Permission> = {
  organization: 'read_organization',
  location: 'read_location',
  robot: 'read_robot',
  part: 'read_robot',
  fragment: 'read_fragment',
  dataset: 'list_dataset',
  trainingJob: 'read_organization',
};

/**
 * Returns true if any of the caller's roles grants the permission on the resource with this path.
 */
export function may(principal: Principal, permission: Permission, path: ResourcePath): boolean {
  if (permission === 'read_fragment' && path.publicRead) return true;
  return principal.grants.some(
    (grant) =>
      (grantsPermission(grant, permission) &&
        path.chain.some(
          ({ type, id }) => grant.resourceType === type && grant.resourceId === id,
        )) ||
      (path.sharedWith.includes(grant.resourceId) && grantsPermissionByShare(grant, permission)),
  );
}

/** Returns true if the caller has a role in the organization, on any resource. */
export function isMember(principal: Principal, organizationId: string): boolean {
  return principal.grants.some((grant) => grant.organizationId === organizationId);
}

/**
 * Resolves a resource and checks the permission on it.
 * @throws NotFound if the resource doesn't exist or the caller can't read it, PermissionDenied if
 *   the caller can read it but doesn't have the permission.
 */
export async function requirePermission(
  access: StoreAccess,
  principal: Principal,
  permission: Permission,
  ref: ResourceRef,
): Promise<ResourcePath> {
  const path = await resolvePath(access, ref);
  if (path !== undefined && may(principal, permission, path)) return path;
  if (path !== undefined && (await isVisible(access, principal, ref, path))) {
    throw permissionDenied(permission, KIND_NAMES[ref.type], ref.id);
  }
  throw notFound(KIND_NAMES[ref.type], ref.id);
}

/**
 * Checks that the caller has a role in the organization.
 * @throws NotFound otherwise.
 */
export function requireMember(principal: Principal, organizationId: string): void {
  if (!isMember(principal, organizationId)) throw notFound(KIND_NAMES.organization, organizationId);
}

/**
 * Returns true if a caller is allowed to know that a resource exists. This includes the parent
 * locations of readable machines.
 */
async function isVisible(
  access: StoreAccess,
  principal: Principal,
  ref: ResourceRef,
  path: ResourcePath,
): Promise<boolean> {
  if (ref.type === 'organization') return isMember(principal, ref.id);
  if (may(principal, READ_PERMISSIONS[ref.type], path)) return true;
  const locationIds =
    ref.type === 'location' && isMember(principal, path.organizationId)
      ? await listMachineLocationIds(access, grantedMachineIds(principal))
      : [];
  return locationIds.includes(ref.id);
}

/**
 * Checks that an organization still has an owner. Must be called after the removal of roles, in the
 * same transaction, so that an error rolls back the removal.
 * @throws FailedPrecondition if no owner remains.
 */
export async function requireOwner(access: StoreAccess, organizationId: string): Promise<void> {
  if (!(await hasOwner(access, organizationId))) {
    throw failedPrecondition(
      'this would leave the organization without an owner: make another user or API key an owner first',
    );
  }
}

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
 * Reads the role in a request, and checks that the caller can grant or revoke it.
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
