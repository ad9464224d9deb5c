import type { ServiceImpl } from '@connectrpc/connect';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import { requireOwner } from '../auth/authorizer';
import { notFound } from '../errors';
import { inviteMessage, memberMessage } from '../messages/organizationMessages';
import { deleteKeysWithoutRoles, lockKeysIn } from '../store/credentials';
import { listInvites } from '../store/invites';
import { lockRow } from '../store/store';
import { deleteMember, listMembers } from '../store/users';
import type { HandlerDependencies } from './handlerSupport';

type MemberOperations = Pick<
  ServiceImpl<typeof AppService>,
  'listOrganizationMembers' | 'deleteOrganizationMember'
>;

/** Handlers for an organization's members (spec part 3). */
export function memberHandlers({ store }: HandlerDependencies): MemberOperations {
  return {
    async listOrganizationMembers({ organizationId }) {
      // The order of the reads ensures that an invitation that is being accepted concurrently
      // appears in at least one of the lists.
      const invites = await listInvites(store, { organization_id: organizationId });
      const members = await listMembers(store, organizationId);
      const addresses = new Set(members.map(({ email }) => email));
      return {
        organizationId,
        members: members.map(memberMessage),
        invites: invites.filter(({ email }) => !addresses.has(email)).map(inviteMessage),
      };
    },

    async deleteOrganizationMember({ organizationId, userId }) {
      await store.transaction().execute(async (transaction) => {
        await lockRow(transaction, 'organizations', organizationId);
        await lockKeysIn(transaction, organizationId);
        if (!(await deleteMember(transaction, organizationId, userId))) {
          throw notFound('member', userId);
        }
        await deleteKeysWithoutRoles(transaction);
        await requireOwner(transaction, organizationId);
      });
      return {};
    },
  };
}
