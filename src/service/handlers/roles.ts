import type { ServiceImpl } from '@connectrpc/connect';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import type { Authorization } from '../../gen/viam/app/v1/authorization_pb';
import { grantableRole } from '../auth/grantableRoles';
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
        await insertAuthorization(
          transaction,
          await assignment(transaction, principal, request.authorization),
        );
      });
      return {};
    },

    async removeRole(request, context) {
      const principal = callerOf(context);
      await store.transaction().execute(async (transaction) => {
        await requireOwner(
          transaction,
          await remove(transaction, principal, request.authorization),
        );
        await deleteKeysWithoutRoles(transaction);
      });
      return {};
    },

    async changeRole(request, context) {
      const principal = callerOf(context);
      await store.transaction().execute(async (transaction) => {
        // Read first: an identity is known by the roles it holds, and may hold only the old one.
        const next = await assignment(transaction, principal, request.newAuthorization);
        const organizationId = await remove(transaction, principal, request.oldAuthorization);
        await insertAuthorization(transaction, next);
        await requireOwner(transaction, organizationId);
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

/** The role that a request asks for, with the identity that is to hold it. */
async function assignment(
  access: StoreAccess,
  principal: Principal,
  message: Authorization | undefined,
): Promise<AuthorizationRow> {
  const asked = required(message);
  const role = await grantableRole(access, principal, asked);
  // A key that is being rotated or deleted gains no roles meanwhile.
  await lockRow(access, 'api_keys', asked.identityId);
  const identityType = await identityTypeIn(access, role.organization_id, asked.identityId);
  if (identityType === undefined) {
    throw notFound('member or API key', asked.identityId);
  }
  return { ...role, identity_type: identityType, identity_id: asked.identityId };
}

/** Takes the role away, and answers its organization, locked against others that do the same. */
async function remove(
  access: StoreAccess,
  principal: Principal,
  message: Authorization | undefined,
): Promise<string> {
  const asked = required(message);
  const role = await grantableRole(access, principal, asked);
  await lockRow(access, 'organizations', role.organization_id);
  if (!(await deleteAuthorization(access, { ...role, identity_id: asked.identityId }))) {
    throw notFound(`role ${role.role} on this ${role.resource_type} for`, asked.identityId);
  }
  return role.organization_id;
}

function required(message: Authorization | undefined): Authorization {
  if (message === undefined) {
    throw invalid('authorization: must be given');
  }
  if (message.identityId === '') {
    throw invalid('identity_id: must not be empty');
  }
  return message;
}
