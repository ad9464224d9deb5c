import type { ServiceImpl } from '@connectrpc/connect';
import { hashSecret } from '../auth/accessTokens';
import { may, requirePermission } from '../auth/authorizer';
import type { Permission } from '../auth/permissions';
import type { Principal } from '../auth/principal';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import type { Authorization } from '../../gen/viam/app/v1/authorization_pb';
import { invalid, notFound, permissionDenied } from '../errors';
import { authorizationDetailsMessage, roleOnResource } from '../messages/authorizationMessages';
import { deleteApiKey, findApiKey, listApiKeys, putApiKey } from '../store/credentials';
import { newId, newSecret } from '../store/identifiers';
import { dateFromMicros, timestampFromMicros } from '../store/micros';
import { insertAuthorization } from '../store/organizations';
import { resolvePath } from '../store/resourcePath';
import type { AuthorizationRow, ResourceType } from '../store/schema';
import type { StoreAccess } from '../store/store';
import { callerOf, type HandlerDependencies, requireName } from './handlerSupport';

type ApiKeyOperations = Pick<
  ServiceImpl<typeof AppService>,
  'createKey' | 'deleteKey' | 'rotateKey' | 'listKeys' | 'createKeyFromExistingKeyAuthorizations'
>;

/** Who may hand out roles on a resource: whoever may change the resource itself. */
const ADMINISTERS: Record<ResourceType, Permission> = {
  organization: 'write_organization',
  location: 'write_location',
  robot: 'write_robot',
};

/** API keys (spec part 3). A key is shown once, when it is made; the store keeps its hash. */
export function apiKeyHandlers(dependencies: HandlerDependencies): ApiKeyOperations {
  const { store } = dependencies;
  return {
    async createKey(request, context) {
      if (request.authorizations.length === 0) {
        throw invalid('authorizations: must not be empty');
      }
      const principal = callerOf(context);
      return store.transaction().execute(async (transaction) => {
        const rows: Omit<AuthorizationRow, 'identity_id'>[] = [];
        for (const authorization of request.authorizations) {
          rows.push(await grantable(transaction, principal, authorization));
        }
        return issue(transaction, request.name, rows);
      });
    },

    async deleteKey(request, context) {
      await administered(request.id, callerOf(context));
      await store.transaction().execute((transaction) => deleteApiKey(transaction, request.id));
      return {};
    },

    async rotateKey(request, context) {
      const { name } = await administered(request.id, callerOf(context));
      const key = newSecret();
      await putApiKey(store, {
        id: request.id,
        key_hash: hashSecret(key),
        name,
        created_at: dependencies.now(),
      });
      return { id: request.id, key };
    },

    async listKeys(request) {
      const keys = await listApiKeys(store, request.orgId);
      return {
        apiKeys: keys.map(({ id, name, createdAt, authorizations }) => ({
          apiKey: { id, name, createdOn: timestampFromMicros(createdAt) },
          authorizations: authorizations.map(authorizationDetailsMessage),
        })),
      };
    },

    async createKeyFromExistingKeyAuthorizations(request, context) {
      const { authorizations } = await administered(request.id, callerOf(context));
      const { id, key } = await store
        .transaction()
        .execute((transaction) => issue(transaction, '', authorizations));
      return { id, key };
    },
  };

  /** Adds a key with these roles. Its name defaults to the present time (spec part 3). */
  async function issue(
    access: StoreAccess,
    name: string,
    authorizations: readonly Omit<AuthorizationRow, 'identity_id'>[],
  ): Promise<{ id: string; key: string }> {
    const id = newId();
    const key = newSecret();
    await putApiKey(access, {
      id,
      key_hash: hashSecret(key),
      name: name === '' ? dateFromMicros(dependencies.now()).toISOString() : requireName(name),
      created_at: dependencies.now(),
    });
    for (const authorization of authorizations) {
      await insertAuthorization(access, { ...authorization, identity_id: id });
    }
    return { id, key };
  }

  /**
   * A key all of whose roles the caller could hand out.
   * @throws NotFound when there is none, or the caller has no part in it, PermissionDenied when it
   *   holds roles beyond the caller's.
   */
  async function administered(id: string, principal: Principal) {
    const key = await findApiKey(store, id);
    const organizations = new Set(principal.grants.map((grant) => grant.organizationId));
    if (!key?.authorizations.some((row) => organizations.has(row.organization_id))) {
      throw notFound('API key', id);
    }
    for (const row of key.authorizations) {
      const path = await resolvePath(store, { type: row.resource_type, id: row.resource_id });
      if (path !== undefined && !may(principal, ADMINISTERS[row.resource_type], path)) {
        throw permissionDenied(ADMINISTERS[row.resource_type], row.resource_type, row.resource_id);
      }
    }
    return key;
  }
}

async function grantable(
  access: StoreAccess,
  principal: Principal,
  message: Authorization,
): Promise<Omit<AuthorizationRow, 'identity_id'>> {
  const { role, resourceType, resourceId } = roleOnResource(message);
  const path = await requirePermission(access, principal, ADMINISTERS[resourceType], {
    type: resourceType,
    id: resourceId,
  });
  if (message.organizationId !== '' && message.organizationId !== path.organizationId) {
    throw invalid(`organization_id: ${resourceType} "${resourceId}" is not in it`);
  }
  return {
    organization_id: path.organizationId,
    identity_type: 'api-key',
    role,
    resource_type: resourceType,
    resource_id: resourceId,
  };
}
