import type { IdentityType, Role } from './access';
import type { ApiKeyId, ConnectionId, OrganizationId, UserId } from './ids';

/** A member of an organization, as commands and nodes refer to one; the name is the address. */
export interface MemberTarget {
  readonly kind: 'member';
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly userId: UserId;
  readonly name: string;
}

/** An invite that nobody has accepted yet. */
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

/** A role that somebody holds, or will hold on accepting an invite. */
export interface RoleTarget {
  readonly kind: 'role';
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly holder: RoleHolder;
  readonly role: Role;
  /** The name of what the role is on. */
  readonly name: string;
}

export interface RoleHolder {
  readonly type: IdentityType | 'invite';
  /** An invite is known by its address. */
  readonly id: UserId | ApiKeyId | string;
  readonly name: string;
}

/** Who may do what: anyone who holds roles, and the roles themselves. */
export type AccessTarget = MemberTarget | InviteTarget | ApiKeyTarget | RoleTarget;

/** Members and keys: those whose roles are added, changed and removed one by one. */
export type IdentityTarget = MemberTarget | ApiKeyTarget;

/** The id of what a target stands for, unique in its organization and kind. */
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
