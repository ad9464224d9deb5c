import type { IdentityType, Role } from './access';
import type { ApiKeyId, ConnectionId, OrganizationId, UserId } from './ids';

/** Member of an organization, as passed to commands and nodes; the name is the email address. */
export interface MemberTarget {
  readonly kind: 'member';
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly userId: UserId;
  readonly name: string;
}

/** Invitation that is still pending. */
export interface InviteTarget {
  readonly kind: 'invite';
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly email: string;
  readonly name: string;
}

export interface ApiKeyTarget {
  readonly kind: 'apiKey';
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly keyId: ApiKeyId;
  readonly name: string;
}

/** Role of a member or key, or of a pending invitation. */
export interface RoleTarget {
  readonly kind: 'role';
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly holder: RoleHolder;
  readonly role: Role;
  /** Name of the role's resource. */
  readonly name: string;
}

export interface RoleHolder {
  readonly type: IdentityType | 'invite';
  /** Email address for an invitation. */
  readonly id: UserId | ApiKeyId | string;
  readonly name: string;
}

/** Access resources: holders of roles, and the roles themselves. */
export type AccessTarget = MemberTarget | InviteTarget | ApiKeyTarget | RoleTarget;

/** Members and keys, whose roles are added, changed, and removed individually. */
export type IdentityTarget = MemberTarget | ApiKeyTarget;

/** Returns the ID of a target, unique in its organization and kind. */
export function accessTargetId(target: AccessTarget): string {
  switch (target.kind) {
    case 'member':
      return target.userId;
    case 'invite':
      return target.email;
    case 'apiKey':
      return target.keyId;
    case 'role':
      return `${target.holder.id}/${target.role.resourceType}_${target.role.name}/${target.role.resourceId}`;
  }
}
