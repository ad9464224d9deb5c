import { alreadyExists, invalid } from '../errors';
import { findInvite, type InviteKey } from '../store/invites';
import type { StoreAccess } from '../store/store';
import { findUserByEmail } from '../store/users';

/** Maximum length of an address that mail servers deliver to (RFC 5321, 4.5.3.1.3). */
const MAX_ADDRESS_LENGTH = 254;

/**
 * Returns the key of a new invitation, with the address in lowercase. The address has already been
 * validated against the contract.
 * @throws InvalidArgument if no mail server would accept it.
 */
export function newInviteKey(organizationId: string, email: string): InviteKey {
  if (email.length > MAX_ADDRESS_LENGTH) {
    throw invalid(`email: must not be longer than ${String(MAX_ADDRESS_LENGTH)} characters`);
  }
  return { organization_id: organizationId, email: email.toLowerCase() };
}

/**
 * Checks that an address can be invited.
 * @throws AlreadyExists if it belongs to a member or has an invitation; the message contains the
 *   recommended action.
 */
export async function checkInvitable(
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
