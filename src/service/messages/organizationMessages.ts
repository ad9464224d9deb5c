import { create, fromJsonString } from '@bufbuild/protobuf';
import {
  type Organization,
  type OrganizationInvite,
  OrganizationInviteSchema,
  type OrganizationMember,
  OrganizationMemberSchema,
  OrganizationSchema,
  type OrgDetails,
  OrgDetailsSchema,
} from '../../gen/viam/app/v1/organization_pb';
import { AllowedLoginMethodsSchema } from '../../gen/viam/app/v1/registry_pb';
import { parseDefaultFragments } from '../config/defaultFragments';
import { optionalTimestamp, timestampFromMicros } from '../store/micros';
import {
  type AuthorizationRow,
  type OrganizationRow,
  RESOURCE_TYPES,
  type ResourceType,
  type Role,
} from '../store/schema';
import type { MemberRow } from '../store/users';
import type { Invite } from '../store/invites';
import {
  type Authorization,
  type AuthorizationDetails,
  AuthorizationDetailsSchema,
  AuthorizationSchema,
} from '../../gen/viam/app/v1/authorization_pb';
import { invalid } from '../errors';

/** Returns an organization's fields that are visible to anyone with a role in it. */
export function organizationSummaryMessage(row: OrganizationRow): Organization {
  return create(OrganizationSchema, {
    id: row.id,
    name: row.name,
    createdOn: timestampFromMicros(row.created_at),
    publicNamespace: row.public_namespace ?? '',
  });
}

/** Returns an organization's wire format. */
export function organizationMessage(row: OrganizationRow): Organization {
  return create(OrganizationSchema, {
    ...organizationSummaryMessage(row),
    defaultRegion: row.default_region,
    ...(row.cid !== null && { cid: row.cid }),
    ...(row.default_fragments !== null && {
      defaultFragments: parseDefaultFragments(row.default_fragments),
    }),
    ...(row.allowed_login_methods !== null && {
      allowedLoginMethods: fromJsonString(AllowedLoginMethodsSchema, row.allowed_login_methods),
    }),
  });
}

/** Returns an organization's short wire format, for listing organizations by user. */
export function organizationDetailsMessage(row: OrganizationRow): OrgDetails {
  return create(OrgDetailsSchema, {
    orgId: row.id,
    orgName: row.name,
    ...(row.cid !== null && { orgCid: row.cid }),
    ...(row.public_namespace !== null && { publicNamespace: row.public_namespace }),
  });
}

/** Returns a member's wire format. */
export function memberMessage(row: MemberRow): OrganizationMember {
  const lastLogin = optionalTimestamp(row.last_login);
  return create(OrganizationMemberSchema, {
    userId: row.id,
    emails: [row.email],
    dateAdded: timestampFromMicros(row.added_at),
    ...(lastLogin && { lastLogin }),
  });
}

/** Returns the wire format of a pending invitation, whose roles have not been granted yet. */
export function inviteMessage(invite: Invite): OrganizationInvite {
  return create(OrganizationInviteSchema, {
    organizationId: invite.organization_id,
    email: invite.email,
    createdOn: timestampFromMicros(invite.created_at),
    authorizations: invite.roles.map((role) =>
      authorizationMessage({
        ...role,
        organization_id: invite.organization_id,
        identity_type: 'user',
        identity_id: '',
      }),
    ),
  });
}

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
      `resource_type: "${message.resourceType}" is not one of ${RESOURCE_TYPES.join(', ')}`,
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
  if (message.resourceId === '') throw invalid('resource_id: must not be empty');
  return { role, resourceType, resourceId: message.resourceId };
}

/** Returns a role's wire format in lists of keys. */
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
