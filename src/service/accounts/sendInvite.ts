import { notFound, unavailable } from '../errors';
import { MailError, type Mailer } from '../mail/mailer';
import type { HandlerDependencies } from '../handlers/handlerSupport';
import { findInvite, type Invite } from '../store/invites';
import { deleteInviteLinksBefore, deleteLinkToken, insertLinkToken } from '../store/linkTokens';
import { findOrganization } from '../store/organizations';
import { lockRow } from '../store/rowLocks';
import { inviteMail } from './inviteMail';
import { INVITE_LINK_MICROS, newLinkToken, type PageUrl } from './links';
import { describeRoles } from './describeRoles';

interface SendingDependencies extends HandlerDependencies {
  mailer: Mailer;
  pageUrl: PageUrl;
}

/**
 * Sends the email of an invitation with a new link. If this succeeds, earlier links become invalid;
 * otherwise, they remain valid and the new link is discarded.
 * @throws Unavailable with the error of the mail server, NotFound if the invitation no longer
 *   exists.
 */
export async function sendInvite(
  { store, now, mailer, pageUrl }: SendingDependencies,
  invite: Invite,
  inviterName: string,
): Promise<void> {
  const { token, hash } = newLinkToken();
  const createdAt = now();
  const expiresAt = createdAt + INVITE_LINK_MICROS;
  const { email, organization_id } = invite;
  // Stored before the email is sent. The link is therefore valid even if the user opens it
  // immediately.
  await store.transaction().execute(async (transaction) => {
    await lockRow(transaction, 'organizations', organization_id);
    if ((await findInvite(transaction, invite))?.created_at !== invite.created_at) {
      throw notFound('pending invitation for', email);
    }
    await insertLinkToken(transaction, {
      token_hash: hash,
      purpose: 'invite',
      email,
      organization_id,
      created_at: createdAt,
      expires_at: expiresAt,
    });
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
