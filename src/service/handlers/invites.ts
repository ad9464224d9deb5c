import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import { sendInvite } from '../accounts/sendInvite';
import type { PageUrl } from '../accounts/links';
import { notFound } from '../errors';
import type { Mailer } from '../mail/mailer';
import { inviteMessage } from '../messages/inviteMessages';
import { findApiKey } from '../store/credentials';
import {
  deleteInvite,
  deleteInvitedRoles,
  findInvite,
  insertInvite,
  insertInvitedRoles,
  type Invite,
  type InviteKey,
  setAppliesAtLogin,
} from '../store/invites';
import { hasInviteLink } from '../store/linkTokens';
import { lockRow } from '../store/rowLocks';
import type { StoreAccess } from '../store/store';
import { getCaller, type HandlerDependencies } from './handlerSupport';
import { checkInvitable, newInviteKey } from './invitableAddress';
import { checkRemoval, rolesToInvite } from './invitedRoles';

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
          await withdrawUnsent(invite);
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
  async function withdrawUnsent(invite: Invite): Promise<void> {
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
  if (invite === undefined) {
    throw notFound('pending invitation for', key.email);
  }
  return invite;
}
