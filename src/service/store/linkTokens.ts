import type { InviteKey } from './invites';
import type { Micros } from './micros';
import type { LinkPurpose, LinkTokenRow } from './schema';
import type { StoreAccess } from './store';

/**
 * Time for which an expired link is retained so that its page can show that the link has expired:
 * 30 days.
 */
const REMEMBERED_MICROS = 30 * 24 * 3600 * 1_000_000;

/** Adds a link, and deletes links that expired long ago. */
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

/** Returns a link by its hash, even if the link was used or has expired. */
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

/**
 * Marks a link as used. Of multiple concurrent calls, only one returns true, provided that its
 * transaction commits.
 */
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

/** Deletes a link whose message couldn't be sent. */
export async function deleteLinkToken(access: StoreAccess, tokenHash: string): Promise<void> {
  await access.deleteFrom('link_tokens').where('token_hash', '=', tokenHash).execute();
}

/** Returns true if a message with a link to this invitation was sent or is being sent. */
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

/** Returns the time at which the newest link to an invitation was created; 0 without links. */
export async function lastInviteLinkTime(access: StoreAccess, key: InviteKey): Promise<Micros> {
  const link = await access
    .selectFrom('link_tokens')
    .select('created_at')
    .where('purpose', '=', 'invite')
    .where('organization_id', '=', key.organization_id)
    .where('email', '=', key.email)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return link?.created_at ?? 0;
}

/**
 * Deletes the links to an invitation that were created before a given time, because a newer message
 * replaced them.
 */
export async function deleteInviteLinksBefore(
  access: StoreAccess,
  key: InviteKey,
  timestamp: Micros,
): Promise<void> {
  await access
    .deleteFrom('link_tokens')
    .where('purpose', '=', 'invite')
    .where('organization_id', '=', key.organization_id)
    .where('email', '=', key.email)
    .where('used_at', 'is', null)
    .where('created_at', '<', timestamp)
    .execute();
}

/**
 * Records that a sign-in link is being sent to an address. Returns false if another link was sent
 * after `since`.
 */
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
