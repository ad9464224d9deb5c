import type {
  OrganizationInvite as WireInvite,
  OrganizationMember as WireMember,
} from '../../gen/viam/app/v1/organization_pb';
import { type Role, rolesFromWire } from './access';
import { toDate } from './fromWire';
import { organizationId, type OrganizationId, userId, type UserId } from './ids';

/** Member of an organization. */
export interface Member {
  readonly id: UserId;
  readonly organizationId: OrganizationId;
  /** First email address of the member; empty if the service reports none. */
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

/** Members and pending invitations of an organization. */
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
