import { requirePermission } from '../auth/authorizer';
import { grantsPermission, grantsPermissionByShare } from '../auth/permissions';
import { grantedMachineIds, type Principal } from '../auth/principal';
import { listMachineLocationIds, type LocationWithCounts } from '../store/locations';
import type { StoreAccess } from '../store/store';

/** Locations of one organization that a caller can see. */
export interface VisibleLocations {
  readable: LocationWithCounts[];
  secretsReadable: (row: LocationWithCounts) => boolean;
}

/**
 * Filters the locations of an organization, and those shared with it, by the caller's read
 * permission. A caller can see the locations that are covered by the caller's roles. For
 * navigation, a caller can also see the locations that contain a machine on which the caller has a
 * role.
 */
export async function visibleLocations(
  access: StoreAccess,
  principal: Principal,
  organizationId: string,
  all: LocationWithCounts[],
): Promise<VisibleLocations> {
  const byId = new Map(all.map((row) => [row.id, row]));
  const withMachines = new Set(await listMachineLocationIds(access, grantedMachineIds(principal)));
  // A key can have as many roles as there are locations, so each location is looked up in a set
  // rather than compared with each role.
  const covering = (permission: 'read_location' | 'read_location_secret') => {
    const own = principal.grants.filter((grant) => grantsPermission(grant, permission));
    const ids = new Set(own.map((grant) => grant.resourceId));
    const sharesIn = principal.grants.some(
      (grant) => grant.resourceId === organizationId && grantsPermissionByShare(grant, permission),
    );
    return (row: LocationWithCounts): boolean =>
      ids.has(row.organization_id) ||
      isInsideAny(byId, row, ids) ||
      (sharesIn && row.organization_id !== organizationId);
  };
  const readable = covering('read_location');
  return {
    readable: all.filter((row) => withMachines.has(row.id) || readable(row)),
    secretsReadable: covering('read_location_secret'),
  };
}

/**
 * Checks that a caller can see a location, by the same rules as `visibleLocations`.
 * @throws NotFound otherwise.
 */
export async function requireVisibleLocation(
  access: StoreAccess,
  principal: Principal,
  id: string,
): Promise<void> {
  const way = await listMachineLocationIds(access, grantedMachineIds(principal));
  if (!way.includes(id)) {
    await requirePermission(access, principal, 'read_location', { type: 'location', id });
  }
}

function isInsideAny(
  byId: ReadonlyMap<string, LocationWithCounts>,
  row: LocationWithCounts,
  ancestorIds: ReadonlySet<string>,
): boolean {
  let current: LocationWithCounts | undefined = row;
  while (current !== undefined && !ancestorIds.has(current.id)) {
    current = current.parent_id === null ? undefined : byId.get(current.parent_id);
  }
  return current !== undefined;
}
