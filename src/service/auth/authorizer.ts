import { notFound, permissionDenied } from '../errors';
import { listMachineLocationIds } from '../store/locations';
import { type ResourcePath, type ResourceRef, resolvePath } from '../store/resourcePath';
import type { StoreAccess } from '../store/store';
import { grantsPermission, grantsPermissionByShare, type Permission } from './permissions';
import { grantedMachineIds, type Principal } from './principal';

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
  if (permission === 'read_fragment' && path.publicRead) {
    return true;
  }
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
  if (path !== undefined && may(principal, permission, path)) {
    return path;
  }
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
  if (!isMember(principal, organizationId)) {
    throw notFound(KIND_NAMES.organization, organizationId);
  }
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
  if (ref.type === 'organization') {
    return isMember(principal, ref.id);
  }
  if (may(principal, READ_PERMISSIONS[ref.type], path)) {
    return true;
  }
  const way =
    ref.type === 'location' && isMember(principal, path.organizationId)
      ? await listMachineLocationIds(access, grantedMachineIds(principal))
      : [];
  return way.includes(ref.id);
}
