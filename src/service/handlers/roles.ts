import type { ServiceImpl } from '@connectrpc/connect';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import type { Authorization, AuthorizedPermissions } from '../../gen/viam/app/v1/authorization_pb';
import { type GrantableRole, grantableRole, may, requireOwner } from '../auth/authorizer';
import { type Principal } from '../auth/principal';
import { isPermission } from '../auth/permissions';
import { type Permission } from '../auth/permissions';
import { invalid, notFound } from '../errors';
import { authorizationMessage } from '../messages/organizationMessages';
import {
  deleteAuthorization,
  identityTypeIn,
  insertAuthorization,
  listAuthorizations,
  resourceIdsInside,
} from '../store/authorizations';
import { deleteKeysWithoutRoles } from '../store/credentials';
import { lockRow, type StoreAccess } from '../store/store';
import { type AuthorizationRow, RESOURCE_TYPES, type ResourceType } from '../store/schema';
import { listUserKeysWith } from '../store/users';
import { getCaller, type HandlerDependencies } from './handlerSupport';
import { resolvePaths } from '../store/resourcePath';

type RoleOperations = Pick<
  ServiceImpl<typeof AppService>,
  'addRole' | 'removeRole' | 'changeRole' | 'listAuthorizations'
>;

/** Handlers for role assignments (spec part 3). */
export function roleHandlers({ store }: HandlerDependencies): RoleOperations {
  return {
    async addRole(request, context) {
      const principal = getCaller(context);
      await store.transaction().execute(async (transaction) => {
        const role = await parseRequestedRole(transaction, principal, request.authorization);
        await lockOrganizations(transaction, [role]);
        await insertAuthorization(transaction, await assignment(transaction, role));
      });
      return {};
    },

    async removeRole(request, context) {
      const principal = getCaller(context);
      await store.transaction().execute(async (transaction) => {
        const role = await parseRequestedRole(transaction, principal, request.authorization);
        await lockOrganizations(transaction, [role]);
        await remove(transaction, role);
        await requireOwner(transaction, role.organization_id);
        await deleteKeysWithoutRoles(transaction);
      });
      return {};
    },

    async changeRole(request, context) {
      const principal = getCaller(context);
      await store.transaction().execute(async (transaction) => {
        const old = await parseRequestedRole(transaction, principal, request.oldAuthorization);
        const next = await parseRequestedRole(transaction, principal, request.newAuthorization);
        await lockOrganizations(transaction, [old, next]);
        // Read before the removal, because an identity is found by its roles, and the old role
        // might be its only one.
        const assigned = await assignment(transaction, next);
        const keyIds = await remove(transaction, old);
        await insertAuthorization(transaction, assigned);
        for (const id of old.identity_id === next.identity_id ? keyIds : []) {
          const ofKey = { ...assigned, identity_type: 'api-key', identity_id: id } as const;
          await insertAuthorization(transaction, ofKey);
        }
        await requireOwner(transaction, old.organization_id);
        await deleteKeysWithoutRoles(transaction);
      });
      return {};
    },

    async listAuthorizations(request) {
      const { organizationId, resourceIds } = request;
      const inside = await resourceIdsInside(store, organizationId, resourceIds);
      const outside = resourceIds.find((id) => !inside.has(id));
      if (outside !== undefined) throw notFound('resource', outside);
      const requestedIds = new Set(resourceIds);
      const rows = await listAuthorizations(store, organizationId);
      const matching =
        requestedIds.size === 0 ? rows : rows.filter((row) => requestedIds.has(row.resource_id));
      return { authorizations: matching.map(authorizationMessage) };
    },
  };
}

/** Role in a request, and the identity that has or will receive it. */
type RequestedRole = GrantableRole & { identity_id: string };

async function parseRequestedRole(
  access: StoreAccess,
  principal: Principal,
  message: Authorization | undefined,
): Promise<RequestedRole> {
  if (message === undefined) throw invalid('authorization: is required');
  if (message.identityId === '') throw invalid('identity_id: must not be empty');
  return {
    ...(await grantableRole(access, principal, message)),
    identity_id: message.identityId,
  };
}

/**
 * Locks organizations until the commit. No one can join or leave them, or change roles in them,
 * until then.
 */
async function lockOrganizations(
  access: StoreAccess,
  roles: readonly RequestedRole[],
): Promise<void> {
  const ids = new Set(roles.map((role) => role.organization_id));
  for (const id of [...ids].sort()) {
    await lockRow(access, 'organizations', id);
  }
}

/**
 * Returns the role with the kind of identity that will receive it. The caller must lock the role's
 * organization first.
 */
async function assignment(access: StoreAccess, role: RequestedRole): Promise<AuthorizationRow> {
  // Locks the key, so that it can't receive roles while it is being rotated or deleted.
  await lockRow(access, 'api_keys', role.identity_id);
  const identityType = await identityTypeIn(access, role.organization_id, role.identity_id);
  if (identityType === undefined) throw notFound('member or API key', role.identity_id);
  return { ...role, identity_type: identityType };
}

/**
 * Removes a role. Also removes it from keys that the user created while having the role, because
 * the user could otherwise still use the role through these keys.
 * @returns the IDs of these keys.
 */
async function remove(access: StoreAccess, role: RequestedRole): Promise<string[]> {
  const keyIds = await listUserKeysWith(access, role);
  // Two requests that each remove one of a key's last two roles must not overlook each other.
  for (const id of [role.identity_id, ...keyIds].toSorted()) await lockRow(access, 'api_keys', id);
  if (!(await deleteAuthorization(access, role))) {
    throw notFound(`role ${role.role} on this ${role.resource_type} for`, role.identity_id);
  }
  for (const id of keyIds) {
    await deleteAuthorization(access, { ...role, identity_id: id });
  }
  return keyIds;
}

type PermissionOperations = Pick<ServiceImpl<typeof AppService>, 'checkPermissions'>;

/** Handlers for the caller's permissions on resources (spec part 3, CheckPermissions). */
export function permissionHandlers({ store }: HandlerDependencies): PermissionOperations {
  return {
    async checkPermissions(request, context) {
      const principal = getCaller(context);
      if (request.permissions.length === 0) throw invalid('permissions: must not be empty');
      const questions = request.permissions.map(parse);
      const paths = await resolvePaths(store, questions);
      return {
        authorizedPermissions: questions.map(({ type, id, permissions }, index) => ({
          resourceType: type,
          resourceId: id,
          permissions: permissions.filter((permission) => {
            const path = paths[index];
            return path !== undefined && may(principal, permission, path);
          }),
        })),
      };
    },
  };
}

function parse(request: AuthorizedPermissions): {
  type: ResourceType;
  id: string;
  permissions: Permission[];
} {
  const type = RESOURCE_TYPES.find((candidate) => candidate === request.resourceType);
  if (type === undefined) {
    throw invalid(
      `resource_type: "${request.resourceType}" is not one of ${RESOURCE_TYPES.join(', ')}`,
    );
  }
  if (request.permissions.length === 0) {
    throw invalid('permissions: specify at least one permission for each resource');
  }
  const permissions = request.permissions.filter(isPermission);
  const unknown = request.permissions.find((text) => !isPermission(text));
  if (unknown !== undefined) throw invalid(`permissions: "${unknown}" is not a permission`);
  return { type, id: request.resourceId, permissions };
}
