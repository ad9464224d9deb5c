import type { ServiceImpl } from '@connectrpc/connect';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import type { AuthorizedPermissions } from '../../gen/viam/app/v1/authorization_pb';
import { may } from '../auth/authorizer';
import { isPermission, type Permission } from '../auth/permissions';
import { invalid } from '../errors';
import { resolvePaths } from '../store/resourcePaths';
import { RESOURCE_TYPES, type ResourceType } from '../store/schema';
import { getCaller, type HandlerDependencies } from './handlerSupport';

type PermissionOperations = Pick<ServiceImpl<typeof AppService>, 'checkPermissions'>;

/** Handlers for the caller's permissions on resources (spec part 3, CheckPermissions). */
export function permissionHandlers({ store }: HandlerDependencies): PermissionOperations {
  return {
    async checkPermissions(request, context) {
      const principal = getCaller(context);
      if (request.permissions.length === 0) {
        throw invalid('permissions: must not be empty');
      }
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
      `resource_type: "${request.resourceType}" is none of ${RESOURCE_TYPES.join(', ')}`,
    );
  }
  if (request.permissions.length === 0) {
    throw invalid('permissions: specify at least one permission for each resource');
  }
  const permissions = request.permissions.filter(isPermission);
  const unknown = request.permissions.find((text) => !isPermission(text));
  if (unknown !== undefined) {
    throw invalid(`permissions: "${unknown}" is not a permission`);
  }
  return { type, id: request.resourceId, permissions };
}
