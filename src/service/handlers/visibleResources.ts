import { requirePermission } from '../auth/authorizer';
import { confers, confersThroughShare } from '../auth/permissions';
import { grantedMachineIds, type Principal } from '../auth/principal';
import { listLocationIdsOfMachines, type LocationWithCounts } from '../store/locations';
import type { StoreAccess } from '../store/store';

/** The locations of one organization that a caller may see. */
export interface VisibleLocations {
  readable: LocationWithCounts[];
  secretsReadable: (row: LocationWithCounts) => boolean;
}

/**
 * Narrows the locations of an organization, and those shared with it, to those a caller may read:
 * the ones its roles cover, and those that hold a machine it has a role on, so that it can find its
 * way to that machine.
 */
export async function visibleLocations(
  access: StoreAccess,
  principal: Principal,
  organizationId: string,
  all: LocationWithCounts[],
): Promise<VisibleLocations> {
  const byId = new Map(all.map((row) => [row.id, row]));
  const withMachines = new Set(
    await listLocationIdsOfMachines(access, grantedMachineIds(principal)),
  );
  const covered = (row: LocationWithCounts, permission: 'read_location' | 'read_location_secret') =>
    principal.grants.some(
      (grant) =>
        (confers(grant, permission) &&
          (grant.resourceId === row.organization_id || isInside(byId, row, grant.resourceId))) ||
        (row.organization_id !== organizationId &&
          grant.resourceId === organizationId &&
          confersThroughShare(grant, permission)),
    );
  return {
    readable: all.filter((row) => withMachines.has(row.id) || covered(row, 'read_location')),
    secretsReadable: (row) => covered(row, 'read_location_secret'),
  };
}

/**
 * Checks that a caller may see a location at all, as `visibleLocations` does for many.
 * @throws NotFound otherwise.
 */
export async function requireVisibleLocation(
  access: StoreAccess,
  principal: Principal,
  id: string,
): Promise<void> {
  const way = await listLocationIdsOfMachines(access, grantedMachineIds(principal));
  if (!way.includes(id)) {
    await requirePermission(access, principal, 'read_location', { type: 'location', id });
  }
}

function isInside(
  byId: ReadonlyMap<string, LocationWithCounts>,
  row: LocationWithCounts,
  ancestorId: string,
): boolean {
  let current: LocationWithCounts | undefined = row;
  while (current !== undefined && current.id !== ancestorId) {
    current = current.parent_id === null ? undefined : byId.get(current.parent_id);
  }
  return current !== undefined;
}
