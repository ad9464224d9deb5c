import type { ServiceImpl } from '@connectrpc/connect';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import { isMember } from '../auth/authorizer';
import type { Principal } from '../auth/principal';
import { failedPrecondition, notFound } from '../errors';
import { deleteLocationShare, insertLocationShare } from '../store/locations';
import { findOrganization, listOrganizations } from '../store/organizations';
import { resolvePath } from '../store/resourcePath';
import { getCaller, type HandlerDependencies, getResourcePath } from './handlerSupport';

type LocationSharingOperations = Pick<
  ServiceImpl<typeof AppService>,
  'shareLocation' | 'unshareLocation' | 'getOrganizationsWithAccessToLocation'
>;

/**
 * Handlers for locations that are shared with another organization (spec part 3). Anyone with a
 * role on that entire organization can read and control the contents as an operator. Only the
 * organization that owns the location can access secrets and make changes.
 */
export function locationSharingHandlers({ store }: HandlerDependencies): LocationSharingOperations {
  return {
    async shareLocation(request, context) {
      const path = getResourcePath(context);
      if (request.organizationId === path.organizationId) {
        throw failedPrecondition(
          `organization_id: the location already belongs to organization "${request.organizationId}"`,
        );
      }
      if ((await findOrganization(store, request.organizationId)) === undefined) {
        throw notFound('organization', request.organizationId);
      }
      await insertLocationShare(store, request.locationId, request.organizationId);
      return {};
    },

    async unshareLocation(request, context) {
      const path = getResourcePath(context);
      if (request.organizationId === path.organizationId) {
        throw failedPrecondition(
          "organization_id: the location belongs to this organization, which can't lose access to it",
        );
      }
      const { locationId, organizationId } = request;
      await store.transaction().execute(async (transaction) => {
        const wasShared = await deleteLocationShare(transaction, locationId, organizationId);
        const remaining = await resolvePath(transaction, { type: 'location', id: locationId });
        // Success would mean that the organization has lost access. The error also restores the
        // location's own share, so that nothing is half done.
        if (remaining?.sharedWith.includes(organizationId) === true) {
          throw failedPrecondition(
            'location_id: the organization also has access through a shared parent location: stop sharing the parent first (nothing was changed)',
          );
        }
        if (!wasShared) {
          throw failedPrecondition(
            `organization_id: the location is not shared with organization "${organizationId}"`,
          );
        }
      });
      return {};
    },

    async getOrganizationsWithAccessToLocation(_request, context) {
      const { organizationId, sharedWith } = getResourcePath(context);
      const ids = [organizationId, ...knownShares(getCaller(context), organizationId, sharedWith)];
      const rows = await listOrganizations(store, ids);
      return {
        organizationIdentities: rows
          .toSorted((left, right) => ids.indexOf(left.id) - ids.indexOf(right.id))
          .map(({ id, name }) => ({ id, name })),
      };
    },
  };
}

/**
 * Returns the organizations that a location is shared with and that a caller can see. Members of
 * the owning organization see all of them; other callers see only their own.
 */
export function knownShares(
  principal: Principal,
  organizationId: string,
  sharedWith: readonly string[],
): string[] {
  return sharedWith.filter((id) => isMember(principal, organizationId) || isMember(principal, id));
}
