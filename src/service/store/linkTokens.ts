import type { InviteKey } from './invites';
import type { Micros } from './micros';
import type { LinkPurpose, LinkTokenRow } from './schema';
import type { StoreAccess } from './store';

/** How long an expired link is remembered, so that its page can say that it expired: 30 days. */
const REMEMBERED_MICROS = 30 * 24 * 3600 * 1_000_000;

/** Adds a link, and forgets those that expired long ago. */
export async function insertLinkToken(
  access: StoreAccess,
  link: Omit<LinkTokenRow, 'used_at'>,
): Promise<void> {
  await access
    .deleteFrom('link_tokens')
    .where('expires_at', '<', link.created_at - REMEMBERED_MICROS)
    .execute();
  await access
    .insertInto('link_tokens')
    .values({ ...link, used_at: null })
    .execute();
}

/** A link by its hash, used and expired ones too. */
export async function findLinkToken(
  access: StoreAccess,
  purpose: LinkPurpose,
  tokenHash: string,
): Promise<LinkTokenRow | undefined> {
  return access
    .selectFrom('link_tokens')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .executeTakeFirst();
}

/** Uses a link up. Of several at once one gets true; the transaction decides whether it stays so. */
export async function useLinkToken(
  access: StoreAccess,
  tokenHash: string,
  now: Micros,
): Promise<boolean> {
  const { numUpdatedRows } = await access
    .updateTable('link_tokens')
    .set({ used_at: now })
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Removes a link whose message could not be sent. */
export async function deleteLinkToken(access: StoreAccess, tokenHash: string): Promise<void> {
  await access.deleteFrom('link_tokens').where('token_hash', '=', tokenHash).execute();
}

/** Whether a message with a link to this invite is out, or on its way. */
export async function hasInviteLink(access: StoreAccess, key: InviteKey): Promise<boolean> {
  const link = await access
    .selectFrom('link_tokens')
    .select('token_hash')
    .where('purpose', '=', 'invite')
    .where('organization_id', '=', key.organization_id)
    .where('email', '=', key.email)
    .where('used_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return link !== undefined;
}

/** Ends the links to an invite that were made before a moment: a newer message replaced them. */
export async function deleteInviteLinksBefore(
  access: StoreAccess,
  key: InviteKey,
  moment: Micros,
): Promise<void> {
  await access
    .deleteFrom('link_tokens')
    .where('purpose', '=', 'invite')
    .where('organization_id', '=', key.organization_id)
    .where('email', '=', key.email)
    .where('used_at', 'is', null)
    .where('created_at', '<', moment)
    .execute();
}

/** Notes that an address is sent a link to sign in; false when one was sent after `since`. */
export async function noteSignInMessage(
  access: StoreAccess,
  email: string,
  now: Micros,
  since: Micros,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await access
    .insertInto('sign_in_messages')
    .values({ email, sent_at: now })
    .onConflict((conflict) =>
      conflict
        .column('email')
        .doUpdateSet({ sent_at: now })
        .where('sign_in_messages.sent_at', '<=', since),
    )
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}
