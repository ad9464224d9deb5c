import { create, toJsonString } from '@bufbuild/protobuf';
import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import { insertAuthorization } from '../store/authorizations';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import {
  CreateOrganizationResponseSchema,
  type UpdateOrganizationRequest,
} from '../../gen/viam/app/v1/organization_pb';
import { AllowedLoginMethodsSchema } from '../../gen/viam/app/v1/registry_pb';
import { type Principal } from '../auth/principal';
import { grantsPermission } from '../auth/permissions';
import { type Permission } from '../auth/permissions';
import { requireUsableFragments, serializeDefaultFragments } from '../config/defaultFragments';
import { alreadyExists, failedPrecondition, invalid, notFound } from '../errors';
import {
  organizationDetailsMessage,
  organizationMessage,
  organizationSummaryMessage,
} from '../messages/organizationMessages';
import { deleteKeysWithoutRoles, existingKeyIds, lockKeysIn } from '../store/credentials';
import { isUuid, newId } from '../store/identifiers';
import {
  deleteOrganization,
  findOrganization,
  insertOrganization,
  isNamespaceTaken,
  listOrganizations,
  type OrganizationChanges,
  updateOrganization,
} from '../store/organizations';
import { lockRow } from '../store/store';
import type { OrganizationRow } from '../store/schema';
import { findUserByEmail, listUserOrganizations } from '../store/users';
import type { BlobCollector } from '../blobs/blobCollector';
import type { ReadingsLake } from '../lake/readingsLake';
import type { DatabaseEndpoint } from '../mongo/databaseEndpoint';
import {
  getCaller,
  type HandlerDependencies,
  requireName,
  requireNameInUpdate,
  requireText,
} from './handlerSupport';

type OrganizationOperations = Pick<
  ServiceImpl<typeof AppService>,
  | 'getUserIDByEmail'
  | 'createOrganization'
  | 'listOrganizations'
  | 'listOrganizationsByUser'
  | 'getOrganization'
  | 'getOrganizationNamespaceAvailability'
  | 'updateOrganization'
  | 'deleteOrganization'
>;

const NAMESPACE = /^[a-z0-9-]+$/;

interface OrganizationDependencies extends HandlerDependencies {
  collector: BlobCollector;
  lake: ReadingsLake;
  databaseEndpoint: DatabaseEndpoint;
}

/** Handlers for users and organizations (spec part 3). */
export function organizationHandlers(
  dependencies: OrganizationDependencies,
): OrganizationOperations {
  const { store } = dependencies;
  return {
    async getUserIDByEmail(request, context) {
      const user = await findUserByEmail(
        store,
        request.email,
        getOrganizationIds(getCaller(context), 'read_organization'),
      );
      if (user === undefined) throw notFound('user', request.email);
      return { userId: user.id };
    },

    async createOrganization(request, context) {
      const name = requireName(request.name);
      const principal = getCaller(context);
      const row = await store.transaction().execute(async (transaction) => {
        // An organization whose only owner was deleted at the same time would be unreachable.
        await lockRow(transaction, 'api_keys', principal.identityId);
        const keys = await existingKeyIds(transaction, [principal.identityId]);
        if (keys.size === 0) {
          throw new ConnectError('the API key was deleted', Code.Unauthenticated);
        }
        const created = await insertOrganization(transaction, {
          id: newId(),
          name,
          createdAt: dependencies.now(),
        });
        await insertAuthorization(transaction, {
          organization_id: created.id,
          identity_type: 'api-key',
          identity_id: principal.identityId,
          role: 'owner',
          resource_type: 'organization',
          resource_id: created.id,
        });
        return created;
      });
      return create(CreateOrganizationResponseSchema, { organization: organizationMessage(row) });
    },

    async listOrganizations(_request, context) {
      const rows = await listOrganizations(store, getOrganizationIds(getCaller(context)));
      const canRead = getOrganizationIds(getCaller(context), 'read_organization');
      return {
        organizations: rows.map((row) =>
          canRead.includes(row.id) ? organizationMessage(row) : organizationSummaryMessage(row),
        ),
      };
    },

    async listOrganizationsByUser(request, context) {
      const rows = await listUserOrganizations(
        store,
        request.userId,
        getOrganizationIds(getCaller(context), 'read_organization'),
      );
      return { orgs: rows.map(organizationDetailsMessage) };
    },

    async getOrganization(request, context) {
      const row = await get(request.organizationId);
      const canRead = getOrganizationIds(getCaller(context), 'read_organization').includes(row.id);
      return { organization: canRead ? organizationMessage(row) : organizationSummaryMessage(row) };
    },

    async getOrganizationNamespaceAvailability(request) {
      checkNamespace(request.publicNamespace);
      return { available: !(await isNamespaceTaken(store, request.publicNamespace)) };
    },

    async updateOrganization(request) {
      const row = await store.transaction().execute(async (transaction) => {
        await lockRow(transaction, 'organizations', request.organizationId);
        const current = await findOrganization(transaction, request.organizationId);
        if (current === undefined) throw notFound('organization', request.organizationId);
        const changes = resolveChanges(request, current);
        if (request.defaultFragments !== undefined) {
          await requireUsableFragments(transaction, current, request.defaultFragments);
        }
        if (
          changes.public_namespace &&
          (await isNamespaceTaken(transaction, changes.public_namespace))
        ) {
          throw alreadyExists(`public_namespace: "${changes.public_namespace}" is taken`);
        }
        return updateOrganization(transaction, request.organizationId, changes);
      });
      return { organization: organizationMessage(row ?? (await get(request.organizationId))) };
    },

    async deleteOrganization(request) {
      await store.transaction().execute(async (transaction) => {
        await lockRow(transaction, 'organizations', request.organizationId);
        await lockKeysIn(transaction, request.organizationId);
        await deleteOrganization(transaction, request.organizationId);
        await deleteKeysWithoutRoles(transaction);
      });
      await dependencies.collector.collectAll();
      await dependencies.databaseEndpoint.endUser(request.organizationId);
      await dependencies.lake.organizationDeleted(request.organizationId);
      return {};
    },
  };

  async function get(id: string): Promise<OrganizationRow> {
    const row = await findOrganization(store, id);
    if (row === undefined) throw notFound('organization', id);
    return row;
  }
}

/**
 * Returns the organizations in which a caller has any role or, if a permission is specified, a role
 * that grants it.
 */
function getOrganizationIds(principal: Principal, permission?: Permission): string[] {
  const grants = principal.grants.filter(
    (grant) => permission === undefined || grantsPermission(grant, permission),
  );
  return [...new Set(grants.map((grant) => grant.organizationId))];
}

function checkNamespace(namespace: string): void {
  if (!NAMESPACE.test(requireText(namespace, 'public_namespace'))) {
    throw invalid(
      'public_namespace: must consist of lowercase letters, digits, and dashes, and must not be empty',
    );
  }
  // In the ID of a registry item, a namespace and an organization's ID have the same position.
  if (isUuid(namespace)) throw invalid('public_namespace: must not look like an ID');
}

function resolveChanges(
  request: UpdateOrganizationRequest,
  current: OrganizationRow,
): OrganizationChanges {
  if (request.publicNamespace !== undefined) {
    checkNamespace(request.publicNamespace);
    if (current.public_namespace !== null) {
      throw failedPrecondition(
        `public_namespace: is "${current.public_namespace}" already and cannot be changed`,
      );
    }
  }
  return {
    ...(request.name !== undefined && {
      name: requireNameInUpdate(request.name, current.name),
    }),
    ...(request.publicNamespace !== undefined && { public_namespace: request.publicNamespace }),
    ...(request.region !== undefined && { default_region: requireText(request.region, 'region') }),
    ...(request.cid !== undefined && { cid: requireText(request.cid, 'cid') }),
    ...(request.defaultFragments !== undefined && {
      default_fragments: serializeDefaultFragments(request.defaultFragments),
    }),
    ...(request.allowedLoginMethods !== undefined && {
      allowed_login_methods: toJsonString(AllowedLoginMethodsSchema, request.allowedLoginMethods),
    }),
  };
}
