import { create } from '@bufbuild/protobuf';
import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import { insertAuthorization } from '../store/authorizations';
import { hashSecret } from '../auth/accessTokens';
import {
  ADMINISTERING_PERMISSIONS,
  grantableRole,
  may,
  requireOwner,
  requirePermission,
} from '../auth/authorizer';
import type { Principal } from '../auth/principal';
import { APIKeyWithAuthorizationsSchema } from '../../gen/viam/app/v1/api_key_pb';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import { invalid, notFound, stale } from '../errors';
import { authorizationDetailsMessage } from '../messages/organizationMessages';
import {
  type ApiKeyCredential,
  type ApiKeySummary,
  deleteApiKey,
  findApiKey,
  listApiKeys,
  putApiKey,
  replaceKeyHash,
} from '../store/credentials';
import { newId, newSecret } from '../store/identifiers';
import { dateFromMicros, timestampFromMicros } from '../store/micros';
import { resolvePaths } from '../store/resourcePath';
import { lockRow, type StoreAccess } from '../store/store';
import type { AuthorizationRow } from '../store/schema';
import {
  getCaller,
  type HandlerDependencies,
  requireName,
  getResourcePath,
} from './handlerSupport';

type ApiKeyOperations = Pick<
  ServiceImpl<typeof AppService>,
  | 'createKey'
  | 'deleteKey'
  | 'rotateKey'
  | 'listKeys'
  | 'getRobotAPIKeys'
  | 'createKeyFromExistingKeyAuthorizations'
>;

/** Key as it is returned to its creator. It is returned only once in this form. */
export interface IssuedKey {
  id: string;
  key: string;
}

export interface ApiKeyDependencies extends HandlerDependencies {
  /**
   * Called with a new secret before the caller receives it, so that a stored copy of the old secret
   * can be replaced.
   */
  keyRotated?: ((issued: IssuedKey) => Promise<void>) | undefined;
}

/**
 * Handlers for API keys (spec part 3). A key is returned only when it is created; the store
 * contains only its hash.
 */
export function apiKeyHandlers(dependencies: ApiKeyDependencies): ApiKeyOperations {
  const { store } = dependencies;
  return {
    async createKey(request, context) {
      if (request.authorizations.length === 0) throw invalid('authorizations: must not be empty');
      const principal = getCaller(context);
      return store.transaction().execute(async (transaction) => {
        const rows: Omit<AuthorizationRow, 'identity_id'>[] = [];
        for (const authorization of request.authorizations) {
          const role = await grantableRole(transaction, principal, authorization);
          rows.push({ ...role, identity_type: 'api-key' });
        }
        return issue(transaction, request.name, rows);
      });
    },

    async deleteKey(request, context) {
      const principal = getCaller(context);
      await store.transaction().execute(async (transaction) => {
        const key = await administered(transaction, request.id, principal);
        await deleteApiKey(transaction, request.id);
        for (const id of getOrganizationIds(key)) {
          await requireOwner(transaction, id);
        }
      });
      return {};
    },

    async rotateKey(request, context) {
      const principal = getCaller(context);
      const key = newSecret();
      await store.transaction().execute(async (transaction) => {
        await administered(transaction, request.id, principal);
        await replaceKeyHash(transaction, request.id, hashSecret(key));
      });
      await dependencies.keyRotated?.({ id: request.id, key });
      return { id: request.id, key };
    },

    async listKeys(request) {
      return { apiKeys: (await listApiKeys(store, request.orgId)).map(apiKeyMessage) };
    },

    async getRobotAPIKeys(request, context) {
      const { organizationId } = getResourcePath(context);
      const keys = await listApiKeys(store, organizationId, request.robotId);
      return { apiKeys: keys.map(apiKeyMessage) };
    },

    async createKeyFromExistingKeyAuthorizations(request, context) {
      const principal = getCaller(context);
      const { id, key } = await store.transaction().execute(async (transaction) => {
        const { authorizations } = await administered(transaction, request.id, principal);
        return issue(transaction, '', authorizations);
      });
      return { id, key };
    },
  };

  /** Adds a key with the given roles. The key's name defaults to the current time (spec part 3). */
  async function issue(
    access: StoreAccess,
    name: string,
    authorizations: readonly Omit<AuthorizationRow, 'identity_id'>[],
  ): Promise<IssuedKey> {
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
}

/**
 * Returns a key if the caller can grant all of its roles. Locks the key and its organizations'
 * owners until the commit.
 * @throws NotFound if the key doesn't exist or the caller can't see it, PermissionDenied if it has
 *   roles that the caller can't grant, Aborted if another request has just added a role to it.
 */
async function administered(
  access: StoreAccess,
  id: string,
  principal: Principal,
): Promise<ApiKeyCredential> {
  const locked = getOrganizationIds(await findApiKey(access, id));
  // All changes to roles lock rows in this order: first the organizations, then their resources.
  for (const organizationId of locked) {
    await lockRow(access, 'organizations', organizationId);
  }
  await lockRow(access, 'api_keys', id);
  const key = await findApiKey(access, id);
  if (key === undefined || !(await canSeeKey(access, id, key.authorizations, principal))) {
    throw notFound('API key', id);
  }
  if (getOrganizationIds(key).some((organizationId) => !locked.includes(organizationId))) {
    throw stale('another role is being added to the key: try again');
  }
  for (const row of key.authorizations) {
    await requireAdministrator(access, principal, row);
  }
  return key;
}

/**
 * Returns true if a caller can learn that a key exists: it is the caller's own key, or other calls
 * list it for the caller. ListAuthorizations lists the keys of an organization, and GetRobotAPIKeys
 * those of a machine.
 */
async function canSeeKey(
  access: StoreAccess,
  id: string,
  authorizations: readonly AuthorizationRow[],
  principal: Principal,
): Promise<boolean> {
  if (principal.identityId === id) return true;
  const paths = await resolvePaths(
    access,
    authorizations.map((row) => ({ type: row.resource_type, id: row.resource_id })),
  );
  return authorizations.some((row, index) => {
    const path = paths[index];
    const permission = ADMINISTERING_PERMISSIONS[row.resource_type];
    return (
      path !== undefined &&
      (may(principal, 'read_organization', path) || may(principal, permission, path))
    );
  });
}

function getOrganizationIds(key: ApiKeyCredential | undefined): string[] {
  return [...new Set(key?.authorizations.map((row) => row.organization_id))].sort();
}

/** Rejects callers who can't grant a role, without revealing resources that they can't see. */
async function requireAdministrator(
  access: StoreAccess,
  principal: Principal,
  { resource_type: type, resource_id: id }: AuthorizationRow,
): Promise<void> {
  try {
    await requirePermission(access, principal, ADMINISTERING_PERMISSIONS[type], { type, id });
  } catch (error) {
    throw ConnectError.from(error).code === Code.NotFound
      ? new ConnectError(
          "this key has roles that you don't have; ask an owner of those resources, or remove the roles that you can",
          Code.PermissionDenied,
        )
      : error;
  }
}

function apiKeyMessage({ id, name, createdAt, authorizations }: ApiKeySummary) {
  return create(APIKeyWithAuthorizationsSchema, {
    apiKey: { id, name, createdOn: timestampFromMicros(createdAt) },
    authorizations: authorizations.map(authorizationDetailsMessage),
  });
}
