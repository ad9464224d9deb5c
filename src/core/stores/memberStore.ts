import { required, withSignal } from '../api/fleetClients';
import {
  type Invite,
  inviteFromWire,
  type Member,
  memberFromWire,
  type Membership,
  type Role,
  roleToWire,
  type UserOrganization,
} from '../model/access';
import { organizationId, type OrganizationId, userId, type UserId } from '../model/ids';
import { inNameOrder } from '../model/resourceName';
import { findDifferences, ParentStore } from './listStore';
import type { ReadOptions } from './resourceCache';

export interface NewInvite {
  readonly email: string;
  readonly roles: readonly Role[];
  /**
   * True to send an email. If false, the roles apply when a user with this email address next signs
   * in.
   */
  readonly sendEmail: boolean;
}

export interface InviteChange {
  readonly add: readonly Role[];
  readonly remove: readonly Role[];
}

/** Members and pending invitations, in one list per organization. Methods throw `FleetError`. */
export class MemberStore extends ParentStore<Membership, UserId, OrganizationId> {
  /** Returns members and invitations sorted by email address. Makes one call. */
  list(organization: OrganizationId, options: ReadOptions = {}): Promise<Membership> {
    return this.lists.getAndCompare(
      organization,
      async (signal) => {
        const request = { organizationId: organization };
        const answer = await this.clients.app.listOrganizationMembers(request, { signal });
        return {
          members: inAddressOrder(answer.members.map((wire) => memberFromWire(wire, organization))),
          invites: inAddressOrder(answer.invites.map(inviteFromWire)),
        };
      },
      options,
      (before, after) => {
        const { removed } = findDifferences(before.members, after.members);
        this.fireChange({ removed, parents: [organization] });
      },
    );
  }

  /**
   * Invites a user with at least one role, because the service treats an empty list of roles as
   * "owner of everything".
   */
  async invite(
    organization: OrganizationId,
    { email, roles, sendEmail }: NewInvite,
    signal?: AbortSignal,
  ): Promise<Invite> {
    const answer = await this.clients.app.createOrganizationInvite(
      {
        organizationId: organization,
        email,
        authorizations: roles.map((role) => roleToWire(organization, role, 'invite')),
        sendEmailInvite: sendEmail,
      },
      withSignal(signal),
    );
    this.changedIn([organization]);
    return inviteFromWire(required(answer.invite, 'invite', this.clients.l10n));
  }

  /** Resends the email of a pending invitation. */
  async resend(organization: OrganizationId, email: string): Promise<Invite> {
    const request = { organizationId: organization, email, sendEmailInvite: true };
    const answer = await this.sendChange(
      organization,
      this.clients.app.resendOrganizationInvite(request),
    );
    this.changedIn([organization]);
    return inviteFromWire(required(answer.invite, 'invite', this.clients.l10n));
  }

  /**
   * Adds and removes roles in a pending invitation. The service doesn't allow removing the last
   * role.
   */
  async changeInvite(
    organization: OrganizationId,
    email: string,
    { add, remove }: InviteChange,
  ): Promise<Invite> {
    const wire = (role: Role) => roleToWire(organization, role, 'invite');
    const request = {
      organizationId: organization,
      email,
      addAuthorizations: add.map(wire),
      removeAuthorizations: remove.map(wire),
    };
    const call = this.clients.app.updateOrganizationInviteAuthorizations(request);
    const answer = await this.sendChange(organization, call);
    this.changedIn([organization]);
    return inviteFromWire(required(answer.invite, 'invite', this.clients.l10n));
  }

  async cancelInvitation(organization: OrganizationId, email: string): Promise<void> {
    const request = { organizationId: organization, email };
    await this.sendChange(organization, this.clients.app.deleteOrganizationInvite(request));
    this.changedIn([organization]);
  }

  /**
   * Removes a member and all of the member's roles in the organization. Throws if the member is the
   * organization's last owner.
   */
  async remove(member: Pick<Member, 'id' | 'organizationId'>): Promise<void> {
    const { id, organizationId: organization } = member;
    const request = { organizationId: organization, userId: id };
    await this.sendChange(organization, this.clients.app.deleteOrganizationMember(request));
    this.fire({ removed: [id], parents: [organization] });
  }

  /** Returns a user's organizations, limited to organizations that this connection can read. */
  async listUserOrganizations(user: UserId): Promise<readonly UserOrganization[]> {
    const answer = await this.clients.app.listOrganizationsByUser({ userId: user });
    const organizations = answer.orgs.map((wire) => ({
      id: organizationId(wire.orgId),
      name: wire.orgName,
      publicNamespace: wire.publicNamespace ?? '',
    }));
    return inNameOrder(organizations);
  }

  /**
   * Returns the ID of the user with the given email address. Throws `notFound` if no accessible
   * organization contains the user.
   */
  async userIdByEmail(email: string, signal?: AbortSignal): Promise<UserId> {
    const answer = await this.clients.app.getUserIDByEmail({ email }, withSignal(signal));
    return userId(answer.userId);
  }
}

function inAddressOrder<T extends { readonly email: string }>(items: readonly T[]): readonly T[] {
  const named = items.map((item) => ({ name: item.email, item }));
  return inNameOrder(named).map(({ item }) => item);
}
