import { create } from '@bufbuild/protobuf';
import {
  type Authorization,
  type AuthorizationDetails,
  AuthorizationDetailsSchema,
  AuthorizationSchema,
} from '../../gen/viam/app/v1/authorization_pb';
import { invalid } from '../errors';
import {
  type AuthorizationRow,
  RESOURCE_TYPES,
  type ResourceType,
  type Role,
} from '../store/schema';

/** Role on a resource, as specified in a request. */
export interface RoleOnResource {
  role: Role;
  resourceType: ResourceType;
  resourceId: string;
}

const ROLE_AUTHORIZATION = 'role';
const ROLES: readonly Role[] = ['owner', 'operator'];

/**
 * Parses a wire authorization, with the type `role` and the ID `<resource type>_<role>`.
 * @throws InvalidArgument if one of its fields is unknown or its fields contradict each other.
 */
export function roleOnResource(message: Authorization): RoleOnResource {
  const resourceType = RESOURCE_TYPES.find((type) => type === message.resourceType);
  if (resourceType === undefined) {
    throw invalid(
      `resource_type: "${message.resourceType}" is none of ${RESOURCE_TYPES.join(', ')}`,
    );
  }
  if (message.authorizationType !== ROLE_AUTHORIZATION) {
    throw invalid(`authorization_type: must be "${ROLE_AUTHORIZATION}"`);
  }
  const role = ROLES.find(
    (candidate) => message.authorizationId === `${resourceType}_${candidate}`,
  );
  if (role === undefined) {
    throw invalid(
      `authorization_id: "${message.authorizationId}" must be ${ROLES.map((name) => `${resourceType}_${name}`).join(' or ')}`,
    );
  }
  if (message.resourceId === '') {
    throw invalid('resource_id: must not be empty');
  }
  return { role, resourceType, resourceId: message.resourceId };
}

/** Returns the wire format of a role in lists of keys. */
export function authorizationDetailsMessage(row: AuthorizationRow): AuthorizationDetails {
  return create(AuthorizationDetailsSchema, {
    authorizationType: ROLE_AUTHORIZATION,
    authorizationId: `${row.resource_type}_${row.role}`,
    resourceType: row.resource_type,
    resourceId: row.resource_id,
    orgId: row.organization_id,
  });
}

/** Returns the wire format of a role that an identity has. */
export function authorizationMessage(row: AuthorizationRow): Authorization {
  return create(AuthorizationSchema, {
    authorizationType: ROLE_AUTHORIZATION,
    authorizationId: `${row.resource_type}_${row.role}`,
    resourceType: row.resource_type,
    resourceId: row.resource_id,
    identityId: row.identity_id,
    identityType: row.identity_type,
    organizationId: row.organization_id,
  });
}
