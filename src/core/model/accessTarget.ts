import type { IdentityType, Role } from './access';
import type { ApiKeyId, ConnectionId, OrganizationId, UserId } from './ids';

/** Member of an organization, as passed to commands and nodes. The name is the email address. */
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

/** Role of a member, a key, or a pending invitation. */
export interface RoleTarget {
  readonly kind: 'role';
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly holder: RoleHolder;
  readonly role: Role;
  /** Name of the resource to which the role applies. */
  readonly name: string;
}

export interface RoleHolder {
  readonly type: IdentityType | 'invite';
  /** ID of the holder; the email address for an invitation. */
  readonly id: UserId | ApiKeyId | string;
  readonly name: string;
}

/** Resources for access control: holders of roles, and the roles themselves. */
export type AccessTarget = MemberTarget | InviteTarget | ApiKeyTarget | RoleTarget;

/** Members and keys, whose roles can be added, changed, and removed individually. */
export type IdentityTarget = MemberTarget | ApiKeyTarget;

/** Returns the ID of a target, which is unique within its organization and kind. */
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
