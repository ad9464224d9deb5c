import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import { INVITE_LINK_MICROS, newLinkToken, type PageUrl } from '../accounts/signIn';
import { alreadyExists, invalid, notFound, unavailable } from '../errors';
import { type Mail, type Mailer, MailError, oneLine } from '../mail/mailer';
import { inviteMessage } from '../messages/organizationMessages';
import { findApiKey } from '../store/credentials';
import {
  deleteInvite,
  deleteInvitedRoles,
  findInvite,
  insertInvite,
  insertInvitedRoles,
  type Invite,
  type InvitedRole,
  type InviteKey,
  setAppliesAtLogin,
} from '../store/invites';
import {
  deleteInviteLinksBefore,
  deleteLinkToken,
  hasInviteLink,
  insertLinkToken,
  lastInviteLinkTime,
} from '../store/linkTokens';
import { lockRow, type StoreAccess } from '../store/store';
import { getCaller, type HandlerDependencies } from './handlerSupport';
import { findUserByEmail } from '../store/users';
import { findOrganization } from '../store/organizations';
import { describeRoles } from '../accounts/account';
import type { Micros } from '../store/micros';
import { formatTimestamp, letter } from '../accounts/mailLayout';
import type { Authorization } from '../../gen/viam/app/v1/authorization_pb';
import { grantableRole } from '../auth/authorizer';
import type { Principal } from '../auth/principal';

type InviteOperations = Pick<
  ServiceImpl<typeof AppService>,
  | 'createOrganizationInvite'
  | 'updateOrganizationInviteAuthorizations'
  | 'deleteOrganizationInvite'
  | 'resendOrganizationInvite'
>;

export interface InviteDependencies extends HandlerDependencies {
  mailer: Mailer;
  pageUrl: PageUrl;
}

/** Handlers for invitations to an organization and their states (spec part 3). */
export function inviteHandlers(dependencies: InviteDependencies): InviteOperations {
  const { store } = dependencies;
  return {
    async createOrganizationInvite(request, context) {
      const key = newInviteKey(request.organizationId, request.email);
      const sendsMessage = request.sendEmailInvite ?? true;
      const invite = await store.transaction().execute(async (transaction) => {
        await lockRow(transaction, 'organizations', key.organization_id);
        const { organizationId, authorizations } = request;
        const roles = await rolesToInvite(
          transaction,
          getCaller(context),
          organizationId,
          authorizations,
        );
        await checkInvitable(transaction, key);
        const all = { role: 'owner', resource_type: 'organization' } as const;
        await insertInvite(
          transaction,
          { ...key, createdAt: dependencies.now(), appliesAtLogin: !sendsMessage },
          roles.length > 0 ? roles : [{ ...all, resource_id: organizationId }],
        );
        return pending(transaction, key);
      });
      if (sendsMessage) {
        await send(invite, context).catch(async (error: unknown) => {
          await cancelUnsentInvitation(invite);
          throw error;
        });
      }
      return { invite: inviteMessage(invite) };
    },

    async updateOrganizationInviteAuthorizations(request, context) {
      const key = toInviteKey(request);
      const invite = await store.transaction().execute(async (transaction) => {
        await lockRow(transaction, 'organizations', key.organization_id);
        const { roles } = await pending(transaction, key);
        const resolveRoles = (messages: typeof request.addAuthorizations) =>
          rolesToInvite(transaction, getCaller(context), request.organizationId, messages);
        const added = await resolveRoles(request.addAuthorizations);
        const removed = await resolveRoles(request.removeAuthorizations);
        checkRemoval(roles, added, removed);
        await insertInvitedRoles(transaction, key, added);
        await deleteInvitedRoles(transaction, key, removed);
        return pending(transaction, key);
      });
      return { invite: inviteMessage(invite) };
    },

    async deleteOrganizationInvite(request) {
      const key = toInviteKey(request);
      await store.transaction().execute(async (transaction) => {
        await lockRow(transaction, 'organizations', key.organization_id);
        if (!(await deleteInvite(transaction, key))) {
          throw notFound('pending invitation for', key.email);
        }
      });
      return {};
    },

    async resendOrganizationInvite(request, context) {
      const key = toInviteKey(request);
      const sendsMessage = request.sendEmailInvite ?? true;
      const invite = await pending(store, key);
      if (sendsMessage) {
        await send(invite, context);
      } else {
        await setAppliesAtLogin(store, key, true);
      }
      return { invite: inviteMessage(invite) };
    },
  };

  async function send(invite: Invite, context: HandlerContext): Promise<void> {
    const inviter = await findApiKey(store, getCaller(context).identityId);
    await sendInvite(dependencies, invite, inviter?.name ?? 'An owner');
  }

  /**
   * Cancels an invitation whose message was not delivered, unless a newer message has been sent.
   */
  async function cancelUnsentInvitation(invite: Invite): Promise<void> {
    await store.transaction().execute(async (transaction) => {
      await lockRow(transaction, 'organizations', invite.organization_id);
      const current = await findInvite(transaction, invite);
      const isOurs = current?.created_at === invite.created_at;
      if (isOurs && !(await hasInviteLink(transaction, invite))) {
        await deleteInvite(transaction, invite);
      }
    });
  }
}

function toInviteKey(request: { organizationId: string; email: string }): InviteKey {
  return { organization_id: request.organizationId, email: request.email.toLowerCase() };
}

async function pending(access: StoreAccess, key: InviteKey): Promise<Invite> {
  const invite = await findInvite(access, key);
  if (invite === undefined) throw notFound('pending invitation for', key.email);
  return invite;
}

/** Maximum length of an address that mail servers deliver to (RFC 5321, 4.5.3.1.3). */
const MAX_ADDRESS_LENGTH = 254;

/**
 * Returns the key for a new invitation, with the address in lowercase. The address has already been
 * validated against the contract.
 * @throws InvalidArgument if no mail server would accept it.
 */
function newInviteKey(organizationId: string, email: string): InviteKey {
  if (email.length > MAX_ADDRESS_LENGTH) {
    throw invalid(`email: must not be longer than ${String(MAX_ADDRESS_LENGTH)} characters`);
  }
  return { organization_id: organizationId, email: email.toLowerCase() };
}

/**
 * Checks that an address can be invited.
 * @throws AlreadyExists if the address belongs to a member or has an invitation; the message
 *   contains the recommended action.
 */
async function checkInvitable(
  access: StoreAccess,
  { organization_id, email }: InviteKey,
): Promise<void> {
  if ((await findUserByEmail(access, email, [organization_id])) !== undefined) {
    throw alreadyExists(`${email} is already a member: add or change that member's roles instead`);
  }
  if ((await findInvite(access, { organization_id, email })) !== undefined) {
    throw alreadyExists(
      `${email} is already invited: change the roles of that invitation, resend it, or delete it first`,
    );
  }
}

interface SendingDependencies extends HandlerDependencies {
  mailer: Mailer;
  pageUrl: PageUrl;
}

/**
 * Sends an invitation email with a new link. If this succeeds, earlier links become invalid;
 * otherwise, they remain valid and the new link is discarded.
 * @throws Unavailable with the mail server's error, NotFound if the invitation no longer exists.
 */
async function sendInvite(
  { store, now, mailer, pageUrl }: SendingDependencies,
  invite: Invite,
  inviterName: string,
): Promise<void> {
  const { token, hash } = newLinkToken();
  const expiresAt = now() + INVITE_LINK_MICROS;
  const { email, organization_id } = invite;
  // Stored before the email is sent. The link is therefore valid even if the user opens it
  // immediately.
  const createdAt = await store.transaction().execute(async (transaction) => {
    await lockRow(transaction, 'organizations', organization_id);
    if ((await findInvite(transaction, invite))?.created_at !== invite.created_at) {
      throw notFound('pending invitation for', email);
    }
    // The clock of the service that created the previous link can be ahead.
    const created_at = Math.max(now(), (await lastInviteLinkTime(transaction, invite)) + 1);
    await insertLinkToken(transaction, {
      token_hash: hash,
      purpose: 'invite',
      email,
      organization_id,
      created_at,
      expires_at: expiresAt,
    });
    return created_at;
  });
  try {
    const mail = inviteMail({
      to: email,
      organizationName: (await findOrganization(store, organization_id))?.name ?? '',
      inviterName,
      roles: await describeRoles(store, invite.roles),
      url: pageUrl(`/invites/${token}`),
      expiresAt,
    });
    await mailer.send(mail);
  } catch (error) {
    await deleteLinkToken(store, hash);
    throw error instanceof MailError
      ? unavailable(`the invitation was not sent: ${error.message}`)
      : error;
  }
  await deleteInviteLinksBefore(store, invite, createdAt);
}

interface InviteMail {
  to: string;
  organizationName: string;
  /** Name of the inviting API key. */
  inviterName: string;
  /** Descriptions of the roles. */
  roles: readonly string[];
  url: string;
  expiresAt: Micros;
}

/** Returns an email that invites a user to an organization. */
function inviteMail({ to, url, roles, expiresAt, ...names }: InviteMail): Mail {
  const organization = oneLine(names.organizationName);
  return letter({
    to,
    subject: `Invitation to ${organization}`,
    opening:
      `"${oneLine(names.inviterName)}" invites you (${to}) to the organization ` +
      `"${organization}", whose robots are managed with Fleetwright.`,
    roles,
    act: 'Accept the invitation',
    url,
    closing:
      `Opening the link accepts the invitation. The link works once, until ${formatTimestamp(expiresAt)}. ` +
      "If you weren't expecting this invitation, you can ignore this email.",
  });
}

/**
 * Returns the roles that a request adds to an invitation or removes from it.
 * @throws InvalidArgument for a resource outside the organization, and the errors of
 *   `grantableRole`.
 */
async function rolesToInvite(
  access: StoreAccess,
  principal: Principal,
  organizationId: string,
  messages: readonly Authorization[],
): Promise<InvitedRole[]> {
  const roles: InvitedRole[] = [];
  for (const message of messages) {
    const { organization_id, role, resource_type, resource_id } = await grantableRole(
      access,
      principal,
      message,
    );
    if (organization_id !== organizationId) {
      throw invalid(
        `resource_id: ${resource_type} "${resource_id}" is not in the organization of the invite`,
      );
    }
    roles.push({ role, resource_type, resource_id });
  }
  return roles;
}

/**
 * Checks the authorizations that an update removes from an invitation. An update can't remove an
 * invitation's only authorization (spec part 3).
 * @throws InvalidArgument with the recommended action.
 */
function checkRemoval(
  current: readonly InvitedRole[],
  added: readonly InvitedRole[],
  removed: readonly InvitedRole[],
): void {
  const both = removed.find((role) => includesRole(added, role));
  if (both !== undefined) {
    throw invalid(`remove_authorizations: ${describeRole(both)} is added by the same call`);
  }
  const absent = removed.find((role) => !includesRole(current, role));
  if (absent !== undefined) {
    throw invalid(`remove_authorizations: the invitation doesn't have ${describeRole(absent)}`);
  }
  if (removed.length > 0 && current.every((role) => includesRole(removed, role))) {
    throw invalid(
      `remove_authorizations: this would remove ${current.length === 1 ? 'the only role' : 'every role'} ` +
        'of the invitation: delete the invitation instead, or add another role first',
    );
  }
}

function includesRole(roles: readonly InvitedRole[], target: InvitedRole): boolean {
  return roles.some(
    (role) =>
      role.role === target.role &&
      role.resource_type === target.resource_type &&
      role.resource_id === target.resource_id,
  );
}

function describeRole({ role, resource_type, resource_id }: InvitedRole): string {
  return `${role} of ${resource_type} "${resource_id}"`;
}
