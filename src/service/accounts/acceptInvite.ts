import { hashSecret } from '../auth/accessTokens';
import type { HandlerDependencies } from '../handlers/handlerSupport';
import { findInvite } from '../store/invites';
import { findLinkToken, useLinkToken } from '../store/linkTokens';
import { findOrganization } from '../store/organizations';
import { lockRow } from '../store/rowLocks';
import { type DeadLink, getLinkRejectionReason } from './links';
import { joinByInvite } from './membership';
import { describeRoles } from './describeRoles';

/** Result of opening the link of an invitation. */
export type Acceptance =
  | { kind: 'accepted'; email: string; organizationName: string; roles: string[] }
  | { kind: DeadLink };

/**
 * Accepts the invitation of an emailed link. The address becomes a member with the promised roles,
 * and the link becomes invalid. If the link is opened more than once concurrently, exactly one
 * request succeeds.
 */
export async function acceptInvite(
  { store, now }: HandlerDependencies,
  token: string,
): Promise<Acceptance> {
  const hash = hashSecret(token);
  return store.transaction().execute(async (transaction) => {
    const link = await findLinkToken(transaction, 'invite', hash);
    if (!link?.organization_id) {
      return { kind: 'unknown' };
    }
    const key = { organization_id: link.organization_id, email: link.email };
    // All changes to members lock rows in this order: first the organization, then its records.
    await lockRow(transaction, 'organizations', key.organization_id);
    const invite = await findInvite(transaction, key);
    const timestamp = now();
    if (invite === undefined || !(await useLinkToken(transaction, hash, timestamp))) {
      return { kind: getLinkRejectionReason(await findLinkToken(transaction, 'invite', hash)) };
    }
    await joinByInvite(transaction, invite, timestamp);
    const organization = await findOrganization(transaction, key.organization_id);
    return {
      kind: 'accepted',
      email: key.email,
      organizationName: organization?.name ?? '',
      roles: await describeRoles(transaction, invite.roles),
    };
  });
}
