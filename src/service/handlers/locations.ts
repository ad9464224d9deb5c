import type { ServiceImpl } from '@connectrpc/connect';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import type { Location, UpdateLocationRequest } from '../../gen/viam/app/v1/location_pb';
import { may, requirePermission } from '../auth/authorizer';
import { grantedMachineIds, type Principal } from '../auth/principal';
import { grantsPermissionByShare } from '../auth/permissions';
import { grantsPermission } from '../auth/permissions';
import { failedPrecondition, notFound } from '../errors';
import { locationMessage } from '../messages/machineMessages';
import { deleteKeysWithoutRoles, lockKeysIn } from '../store/credentials';
import { newLocationId } from '../store/identifiers';
import { deleteInvitesWithoutRoles } from '../store/invites';
import {
  deleteLocation,
  findLocation,
  insertLocation,
  listDescendantIds,
  listLocations,
  listMachineLocationIds,
  listSharedLocations,
  type LocationChanges,
  type LocationWithCounts,
  sharesByLocation,
  updateLocation,
} from '../store/locations';
import { resolvePath } from '../store/resourcePath';
import { lockRow, type StoreAccess } from '../store/store';
import {
  getCaller,
  getResourcePath,
  type HandlerDependencies,
  requireName,
  requireNameInUpdate,
  requireText,
} from './handlerSupport';
import { knownShares } from './locationSharing';

type LocationOperations = Pick<
  ServiceImpl<typeof AppService>,
  'createLocation' | 'getLocation' | 'updateLocation' | 'deleteLocation' | 'listLocations'
>;

/** Handlers for locations and their hierarchy (spec part 3). */
export function locationHandlers(dependencies: HandlerDependencies): LocationOperations {
  const { store, machineSecrets } = dependencies;
  return {
    async createLocation(request, context) {
      const name = requireName(request.name);
      const id = newLocationId();
      await store.transaction().execute(async (transaction) => {
        const parentId = request.parentLocationId || null;
        await checkParent(transaction, parentId, request.organizationId);
        await insertLocation(transaction, {
          id,
          organizationId: request.organizationId,
          parentId,
          name,
          region: '',
          createdAt: dependencies.now(),
        });
        await machineSecrets.insert(transaction, 'location', id, dependencies.now());
      });
      return { location: await describe(id, getCaller(context)) };
    },

    async getLocation(request, context) {
      await requireVisibleLocation(store, getCaller(context), request.locationId);
      return { location: await describe(request.locationId, getCaller(context)) };
    },

    async updateLocation(request, context) {
      const principal = getCaller(context);
      await store.transaction().execute(async (transaction) => {
        const current = await findLocation(transaction, request.locationId);
        if (current === undefined) throw notFound('location', request.locationId);
        const changes = await resolveChanges(transaction, request, current, principal);
        await updateLocation(transaction, request.locationId, changes);
      });
      return { location: await describe(request.locationId, principal) };
    },

    async deleteLocation(request, context) {
      const { organizationId } = getResourcePath(context);
      await store.transaction().execute(async (transaction) => {
        // The lock prevents other requests from adding a role to an invitation that is deleted here
        // for having no roles.
        await lockRow(transaction, 'organizations', organizationId);
        await lockKeysIn(transaction, organizationId);
        await deleteLocation(transaction, request.locationId);
        await deleteKeysWithoutRoles(transaction);
        await deleteInvitesWithoutRoles(transaction);
      });
      return {};
    },

    async listLocations(request, context) {
      const principal = getCaller(context);
      const { readable, secretsReadable } = await visibleLocations(
        store,
        principal,
        request.organizationId,
      );
      const secrets = await machineSecrets.listByOwner(
        store,
        'location',
        readable.filter((row) => secretsReadable(row)).map((row) => row.id),
      );
      const shares = await sharesByLocation(store, readable);
      return {
        locations: readable.map((row) =>
          locationMessage(
            row,
            secretsReadable(row) ? (secrets.get(row.id) ?? []) : undefined,
            knownShares(principal, row.organization_id, shares.get(row.id) ?? []),
          ),
        ),
      };
    },
  };

  async function describe(id: string, principal: Principal): Promise<Location> {
    const [row, path] = await Promise.all([
      findLocation(store, id),
      resolvePath(store, { type: 'location', id }),
    ]);
    if (row === undefined || path === undefined) throw notFound('location', id);
    const secrets = may(principal, 'read_location_secret', path)
      ? ((await machineSecrets.listByOwner(store, 'location', [id])).get(id) ?? [])
      : undefined;
    return locationMessage(
      row,
      secrets,
      knownShares(principal, row.organization_id, path.sharedWith),
    );
  }
}

/**
 * Checks that the parent exists in the same organization. A parent in another organization is
 * treated as nonexistent.
 */
async function checkParent(
  access: StoreAccess,
  parentId: string | null,
  organizationId: string,
): Promise<void> {
  if (parentId === null) return;
  const parent = await findLocation(access, parentId);
  if (parent?.organization_id !== organizationId) throw notFound('parent location', parentId);
}

// Returns the changes that an update requests. An empty name leaves the name unchanged. An empty
// parent moves the location to the top level; an absent parent doesn't move it.
async function resolveChanges(
  access: StoreAccess,
  request: UpdateLocationRequest,
  current: LocationWithCounts,
  principal: Principal,
): Promise<LocationChanges> {
  const parentId =
    request.parentLocationId === undefined ? current.parent_id : request.parentLocationId || null;
  if (parentId !== current.parent_id) await checkMove(access, current, parentId, principal);
  return {
    ...(request.name && { name: requireNameInUpdate(request.name, current.name) }),
    ...(parentId !== current.parent_id && { parent_id: parentId }),
    ...(request.region !== undefined && { region: requireText(request.region, 'region') }),
  };
}

async function checkMove(
  access: StoreAccess,
  current: LocationWithCounts,
  parentId: string | null,
  principal: Principal,
): Promise<void> {
  // Without the lock, two concurrent moves could nest two locations inside each other.
  await lockRow(access, 'organizations', current.organization_id);
  await checkParent(access, parentId, current.organization_id);
  await requirePermission(
    access,
    principal,
    'write_location',
    parentId === null
      ? { type: 'organization', id: current.organization_id }
      : { type: 'location', id: parentId },
  );
  if (parentId !== null && (await listDescendantIds(access, current.id)).includes(parentId)) {
    throw failedPrecondition(
      `parent_location_id: location "${current.name}" cannot move into itself or into a location inside it`,
    );
  }
}

/** One organization's locations that a caller can see. */
export interface VisibleLocations {
  readable: LocationWithCounts[];
  /**
   * Returns true if the caller can see everything in a readable location, false if only machines on
   * which the caller has a role.
   */
  covers: (row: LocationWithCounts) => boolean;
  secretsReadable: (row: LocationWithCounts) => boolean;
}

/**
 * Filters an organization's locations, and those shared with it, by the caller's read permission. A
 * caller can see the locations that are covered by the caller's roles. For navigation, a caller can
 * also see the locations that contain a machine on which the caller has a role.
 */
export async function visibleLocations(
  access: StoreAccess,
  principal: Principal,
  organizationId: string,
): Promise<VisibleLocations> {
  const all = [
    ...(await listLocations(access, organizationId)),
    ...(await listSharedLocations(access, organizationId)),
  ];
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
  const covers = covering('read_location');
  return {
    readable: all.filter((row) => withMachines.has(row.id) || covers(row)),
    covers,
    secretsReadable: covering('read_location_secret'),
  };
}

/**
 * Checks that a caller can see a location, by the same rules as `visibleLocations`.
 * @throws NotFound otherwise.
 */
async function requireVisibleLocation(
  access: StoreAccess,
  principal: Principal,
  id: string,
): Promise<void> {
  const locationIds = await listMachineLocationIds(access, grantedMachineIds(principal));
  if (!locationIds.includes(id)) {
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
