import type { ServiceImpl } from '@connectrpc/connect';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import type { Authorization } from '../../gen/viam/app/v1/authorization_pb';
import { type GrantableRole, grantableRole } from '../auth/grantableRoles';
import { requireOwner } from '../auth/ownership';
import type { Principal } from '../auth/principal';
import { invalid, notFound } from '../errors';
import { authorizationMessage } from '../messages/authorizationMessages';
import {
  deleteAuthorization,
  identityTypeIn,
  insertAuthorization,
  listAuthorizations,
  resourceIdsInside,
} from '../store/authorizations';
import { deleteKeysWithoutRoles } from '../store/credentials';
import { lockRow } from '../store/rowLocks';
import type { AuthorizationRow } from '../store/schema';
import type { StoreAccess } from '../store/store';
import { listUserKeysWith } from '../store/users';
import { callerOf, type HandlerDependencies } from './handlerSupport';

type RoleOperations = Pick<
  ServiceImpl<typeof AppService>,
  'addRole' | 'removeRole' | 'changeRole' | 'listAuthorizations'
>;

/** Who holds which role on what (spec part 3). */
export function roleHandlers({ store }: HandlerDependencies): RoleOperations {
  return {
    async addRole(request, context) {
      const principal = callerOf(context);
      await store.transaction().execute(async (transaction) => {
        const role = await askedRole(transaction, principal, request.authorization);
        await lockOrganizations(transaction, [role]);
        await insertAuthorization(transaction, await assignment(transaction, role));
      });
      return {};
    },

    async removeRole(request, context) {
      const principal = callerOf(context);
      await store.transaction().execute(async (transaction) => {
        const role = await askedRole(transaction, principal, request.authorization);
        await lockOrganizations(transaction, [role]);
        await remove(transaction, role);
        await requireOwner(transaction, role.organization_id);
        await deleteKeysWithoutRoles(transaction);
      });
      return {};
    },

    async changeRole(request, context) {
      const principal = callerOf(context);
      await store.transaction().execute(async (transaction) => {
        const old = await askedRole(transaction, principal, request.oldAuthorization);
        const next = await askedRole(transaction, principal, request.newAuthorization);
        await lockOrganizations(transaction, [old, next]);
        // Read first: an identity is known by the roles it holds, and may hold only the old one.
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
      if (outside !== undefined) {
        throw notFound('resource', outside);
      }
      const asked = new Set(resourceIds);
      const rows = await listAuthorizations(store, organizationId);
      const wanted = asked.size === 0 ? rows : rows.filter((row) => asked.has(row.resource_id));
      return { authorizations: wanted.map(authorizationMessage) };
    },
  };
}

/** A role that a request names, and whose it is or is to be. */
type AskedRole = GrantableRole & { identity_id: string };

async function askedRole(
  access: StoreAccess,
  principal: Principal,
  message: Authorization | undefined,
): Promise<AskedRole> {
  if (message === undefined) {
    throw invalid('authorization: is required');
  }
  if (message.identityId === '') {
    throw invalid('identity_id: must not be empty');
  }
  return {
    ...(await grantableRole(access, principal, message)),
    identity_id: message.identityId,
  };
}

/** Nobody joins or leaves these organizations, or changes roles in them, until the commit. */
async function lockOrganizations(access: StoreAccess, roles: readonly AskedRole[]): Promise<void> {
  const ids = new Set(roles.map((role) => role.organization_id));
  for (const id of [...ids].sort()) {
    await lockRow(access, 'organizations', id);
  }
}

/** The role with what kind of identity is to hold it. Lock its organization before. */
async function assignment(access: StoreAccess, role: AskedRole): Promise<AuthorizationRow> {
  // A key that is being rotated or deleted gains no roles in the meantime.
  await lockRow(access, 'api_keys', role.identity_id);
  const identityType = await identityTypeIn(access, role.organization_id, role.identity_id);
  if (identityType === undefined) {
    throw notFound('member or API key', role.identity_id);
  }
  return { ...role, identity_type: identityType };
}

/**
 * Takes a role away, also from the keys that the user made when it was held: anyone who loses a role
 * does not keep it in a key.
 * @returns the ids of these keys.
 */
async function remove(access: StoreAccess, role: AskedRole): Promise<string[]> {
  if (!(await deleteAuthorization(access, role))) {
    throw notFound(`role ${role.role} on this ${role.resource_type} for`, role.identity_id);
  }
  const keyIds = await listUserKeysWith(access, role);
  for (const id of keyIds) {
    await deleteAuthorization(access, { ...role, identity_id: id });
  }
  return keyIds;
}
