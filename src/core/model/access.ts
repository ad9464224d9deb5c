import type { MessageInitShape } from '@bufbuild/protobuf';
import type { AuthorizationSchema } from '../../gen/viam/app/v1/authorization_pb';
import {
  type ApiKeyId,
  apiKeyId,
  type OrganizationId,
  organizationId,
  type UserId,
  userId,
} from './ids';
import type {
  OrganizationInvite as WireInvite,
  OrganizationMember as WireMember,
} from '../../gen/viam/app/v1/organization_pb';
import { toDate } from './fromWire';
import type { APIKeyWithAuthorizations } from '../../gen/viam/app/v1/api_key_pb';

export const ROLE_NAMES = ['owner', 'operator'] as const;
const ROLE_RESOURCE_TYPES = ['organization', 'location', 'robot'] as const;

/** Name of a role. Owners can change their resources. Operators can read and control them. */
export type RoleName = (typeof ROLE_NAMES)[number];
/** Type of a role's resource on the wire, where `robot` is a machine. */
export type RoleResourceType = (typeof ROLE_RESOURCE_TYPES)[number];

/** Role for a resource and everything inside it (spec part 3, Authorization). */
export interface Role {
  readonly name: RoleName;
  readonly resourceType: RoleResourceType;
  readonly resourceId: string;
}

export type IdentityType = 'user' | 'apiKey';

/** Holder of roles: a member or an API key. */
export interface Identity {
  readonly type: IdentityType;
  readonly id: UserId | ApiKeyId;
}

/** Role with its holder. */
export interface AssignedRole extends Role {
  readonly organizationId: OrganizationId;
  readonly identity: Identity;
}

const ROLE_AUTHORIZATION = 'role';
/** Identity type of API keys on the wire. All other holders of roles are users. */
const API_KEY_IDENTITY = 'api-key';

/** Fields that all wire messages for roles have in common. */
interface WireRole {
  readonly authorizationId: string;
  readonly resourceType: string;
  readonly resourceId: string;
}

/**
 * Converts a role from the wire; returns undefined if the role is neither owner nor operator of a
 * known type of resource.
 */
function roleFromWire(wire: WireRole): Role | undefined {
  const resourceType = ROLE_RESOURCE_TYPES.find((type) => type === wire.resourceType);
  const name = ROLE_NAMES.find((role) => wire.authorizationId === `${wire.resourceType}_${role}`);
  return resourceType && name && { name, resourceType, resourceId: wire.resourceId };
}

/** Converts roles from the wire and skips unknown roles. */
function rolesFromWire(wire: readonly WireRole[]): readonly Role[] {
  return wire.map(roleFromWire).filter((role) => role !== undefined);
}

/**
 * Converts a listed role and its holder from the wire; returns undefined in the same cases as
 * `roleFromWire`.
 */
export function assignedRoleFromWire(
  wire: WireRole & { readonly identityId: string; readonly identityType: string },
  organization: OrganizationId,
): AssignedRole | undefined {
  const role = roleFromWire(wire);
  const type: IdentityType = wire.identityType === API_KEY_IDENTITY ? 'apiKey' : 'user';
  const id = wire.identityId as UserId | ApiKeyId;
  return role && { ...role, organizationId: organization, identity: { type, id } };
}

/**
 * Converts a role to the wire. The role belongs to `identity`, or to a key or invitation that is
 * being created.
 */
export function roleToWire(
  organization: OrganizationId,
  role: Role,
  identity: Identity | 'newApiKey' | 'invite',
): MessageInitShape<typeof AuthorizationSchema> {
  const existing = typeof identity === 'object' ? identity : undefined;
  const isKey = existing ? existing.type === 'apiKey' : identity === 'newApiKey';
  return {
    authorizationType: ROLE_AUTHORIZATION,
    authorizationId: `${role.resourceType}_${role.name}`,
    resourceType: role.resourceType,
    resourceId: role.resourceId,
    organizationId: organization,
    identityId: existing?.id ?? '',
    identityType: isKey ? API_KEY_IDENTITY : '',
  };
}

export function sameRole(one: Role, other: Role): boolean {
  return (
    one.name === other.name &&
    one.resourceType === other.resourceType &&
    one.resourceId === other.resourceId
  );
}

/**
 * Sorts roles by scope, the widest first: roles for the organization, then for locations, then for
 * machines.
 */
export function inRoleOrder<T extends Role>(roles: readonly T[]): readonly T[] {
  const rank = (role: Role): number =>
    ROLE_RESOURCE_TYPES.indexOf(role.resourceType) * ROLE_NAMES.length +
    ROLE_NAMES.indexOf(role.name);
  return roles.toSorted((a, b) => rank(a) - rank(b));
}

/** Member of an organization. */
export interface Member {
  readonly id: UserId;
  readonly organizationId: OrganizationId;
  /** The member's first email address; empty if the service reports none. */
  readonly email: string;
  readonly emails: readonly string[];
  readonly addedOn: Date | undefined;
  readonly lastLogin: Date | undefined;
}

/** Pending invitation. */
export interface Invite {
  readonly organizationId: OrganizationId;
  readonly email: string;
  readonly createdOn: Date | undefined;
  /** Roles that the user gets when accepting the invitation. */
  readonly roles: readonly Role[];
}

/** Members of an organization and its pending invitations. */
export interface Membership {
  readonly members: readonly Member[];
  readonly invites: readonly Invite[];
}

/** Organization as shown in a user's list of organizations. */
export interface UserOrganization {
  readonly id: OrganizationId;
  readonly name: string;
  readonly publicNamespace: string;
}

export function memberFromWire(wire: WireMember, organization: OrganizationId): Member {
  return {
    id: userId(wire.userId),
    organizationId: organization,
    email: wire.emails[0] ?? '',
    emails: wire.emails,
    addedOn: toDate(wire.dateAdded),
    lastLogin: toDate(wire.lastLogin),
  };
}

export function inviteFromWire(wire: WireInvite): Invite {
  return {
    organizationId: organizationId(wire.organizationId),
    email: wire.email,
    createdOn: toDate(wire.createdOn),
    roles: rolesFromWire(wire.authorizations),
  };
}

/**
 * API key as shown in lists. Doesn't contain the key itself, which is shown only when it is created
 * or rotated.
 */
export interface ApiKeySummary {
  readonly id: ApiKeyId;
  /** Organization whose keys are listed. The key can also have roles in other organizations. */
  readonly organizationId: OrganizationId;
  readonly name: string;
  readonly createdOn: Date | undefined;
  /** Roles in this organization, or for the requested machine. */
  readonly roles: readonly Role[];
}

export function apiKeyFromWire(
  { apiKey, authorizations }: APIKeyWithAuthorizations,
  organization: OrganizationId,
): ApiKeySummary {
  return {
    id: apiKeyId(apiKey?.id ?? ''),
    organizationId: organization,
    name: apiKey?.name ?? '',
    createdOn: toDate(apiKey?.createdOn),
    roles: rolesFromWire(authorizations),
  };
}
