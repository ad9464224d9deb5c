import type { MessageInitShape } from '@bufbuild/protobuf';
import type { AuthorizationSchema } from '../../gen/viam/app/v1/authorization_pb';
import type { ApiKeyId, OrganizationId, UserId } from './ids';

export const ROLE_NAMES = ['owner', 'operator'] as const;
export const ROLE_RESOURCE_TYPES = ['organization', 'location', 'robot'] as const;

/** Owners change what they own; operators read and control it. */
export type RoleName = (typeof ROLE_NAMES)[number];
/** The wire's word for what a role applies to; `robot` is a machine. */
export type RoleResourceType = (typeof ROLE_RESOURCE_TYPES)[number];

/** A role on a resource and all that is inside it (spec part 3, Authorization). */
export interface Role {
  readonly name: RoleName;
  readonly resourceType: RoleResourceType;
  readonly resourceId: string;
}

export type IdentityType = 'user' | 'apiKey';

/** Anyone who can hold a role: a member or an API key. */
export interface Identity {
  readonly type: IdentityType;
  readonly id: UserId | ApiKeyId;
}

/** A role with its holder. */
export interface HeldRole extends Role {
  readonly organizationId: OrganizationId;
  readonly identity: Identity;
}

const ROLE_AUTHORIZATION = 'role';
/** What the wire calls keys; whatever else holds a role is a user. */
const API_KEY_IDENTITY = 'api-key';

/** What the wire says of a role, in whichever of its messages. */
interface WireRole {
  readonly authorizationId: string;
  readonly resourceType: string;
  readonly resourceId: string;
}

/** A role of the wire; undefined for one that is neither owner nor operator of a known resource. */
export function roleFromWire(wire: WireRole): Role | undefined {
  const resourceType = ROLE_RESOURCE_TYPES.find((type) => type === wire.resourceType);
  const name = ROLE_NAMES.find((role) => wire.authorizationId === `${wire.resourceType}_${role}`);
  return resourceType && name && { name, resourceType, resourceId: wire.resourceId };
}

/** Several roles of the wire, without those that are not known here. */
export function rolesFromWire(wire: readonly WireRole[]): readonly Role[] {
  return wire.map(roleFromWire).filter((role) => role !== undefined);
}

/** A role of a listing with its holder; undefined as for `roleFromWire`. */
export function heldRoleFromWire(
  wire: WireRole & { readonly identityId: string; readonly identityType: string },
  organization: OrganizationId,
): HeldRole | undefined {
  const role = roleFromWire(wire);
  const type: IdentityType = wire.identityType === API_KEY_IDENTITY ? 'apiKey' : 'user';
  const id = wire.identityId as UserId | ApiKeyId;
  return role && { ...role, organizationId: organization, identity: { type, id } };
}

/** The wire's form of a role: of `identity`, or of a key or an invite that is being made. */
export function roleToWire(
  organization: OrganizationId,
  role: Role,
  identity: Identity | 'newApiKey' | 'invite',
): MessageInitShape<typeof AuthorizationSchema> {
  const held = typeof identity === 'object' ? identity : undefined;
  const isKey = held ? held.type === 'apiKey' : identity === 'newApiKey';
  return {
    authorizationType: ROLE_AUTHORIZATION,
    authorizationId: `${role.resourceType}_${role.name}`,
    resourceType: role.resourceType,
    resourceId: role.resourceId,
    organizationId: organization,
    identityId: held?.id ?? '',
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

/** The widest first: roles on the organization, then on locations, then on machines. */
export function inRoleOrder<T extends Role>(roles: readonly T[]): readonly T[] {
  const rank = (role: Role): number =>
    ROLE_RESOURCE_TYPES.indexOf(role.resourceType) * ROLE_NAMES.length +
    ROLE_NAMES.indexOf(role.name);
  return roles.toSorted((a, b) => rank(a) - rank(b));
}
