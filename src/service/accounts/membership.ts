import { insertAuthorization } from '../store/authorizations';
import { deleteInvite, type Invite } from '../store/invites';
import type { Micros } from '../store/micros';
import type { StoreAccess } from '../store/store';
import { insertMember, markLogin } from '../store/users';

/**
 * Converts a pending invitation to a membership with the promised roles. Must run in a transaction
 * that has locked the organization's row.
 * @returns the ID of the user.
 */
export async function joinByInvite(
  access: StoreAccess,
  invite: Invite,
  now: Micros,
): Promise<string> {
  const { organization_id, email } = invite;
  const userId = await insertMember(access, {
    organizationId: organization_id,
    email,
    addedAt: now,
  });
  for (const role of invite.roles) {
    await insertAuthorization(access, {
      ...role,
      organization_id,
      identity_type: 'user',
      identity_id: userId,
    });
  }
  await deleteInvite(access, invite);
  await markLogin(access, userId, now);
  return userId;
}
