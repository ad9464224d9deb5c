import { notFound, permissionDenied } from '../errors';
import { type ResourcePath, type ResourceRef, resolvePath } from '../store/resourcePath';
import type { StoreAccess } from '../store/store';
import { confers, confersThroughShare, type Permission } from './permissions';
import type { Principal } from './principal';

const KIND_NAMES: Record<ResourceRef['type'], string> = {
  organization: 'organization',
  location: 'location',
  robot: 'machine',
  part: 'part',
  fragment: 'fragment',
};

/** The permission that tells whether a caller may know that a resource exists. */
const READ_PERMISSIONS: Record<ResourceRef['type'], Permission> = {
  organization: 'read_organization',
  location: 'read_location',
  robot: 'read_robot',
  part: 'read_robot',
  fragment: 'read_fragment',
};

/** Whether any of the caller's roles confers the permission on the resource of this path. */
export function may(principal: Principal, permission: Permission, path: ResourcePath): boolean {
  if (permission === 'read_fragment' && path.publicRead) {
    return true;
  }
  return principal.grants.some(
    (grant) =>
      (confers(grant, permission) &&
        path.chain.some(
          ({ type, id }) => grant.resourceType === type && grant.resourceId === id,
        )) ||
      (path.sharedWith.includes(grant.resourceId) && confersThroughShare(grant, permission)),
  );
}

/** Whether the caller holds any role in the organization, on whatever resource. */
export function isMember(principal: Principal, organizationId: string): boolean {
  return principal.grants.some((grant) => grant.organizationId === organizationId);
}

/**
 * Resolves the resource and checks the permission on it.
 * @throws NotFound when it does not exist or the caller may not read it, PermissionDenied when the
 *   caller may read it but lacks the permission.
 */
export async function requirePermission(
  access: StoreAccess,
  principal: Principal,
  permission: Permission,
  ref: ResourceRef,
): Promise<ResourcePath> {
  const path = await resolvePath(access, ref);
  if (path !== undefined && may(principal, permission, path)) {
    return path;
  }
  if (path !== undefined && isVisible(principal, ref, path)) {
    throw permissionDenied(permission, KIND_NAMES[ref.type], ref.id);
  }
  throw notFound(KIND_NAMES[ref.type], ref.id);
}

/**
 * Checks that the caller holds some role in the organization.
 * @throws NotFound otherwise.
 */
export function requireMember(principal: Principal, organizationId: string): void {
  if (!isMember(principal, organizationId)) {
    throw notFound(KIND_NAMES.organization, organizationId);
  }
}

function isVisible(principal: Principal, ref: ResourceRef, path: ResourcePath): boolean {
  return ref.type === 'organization'
    ? isMember(principal, ref.id)
    : may(principal, READ_PERMISSIONS[ref.type], path);
}
