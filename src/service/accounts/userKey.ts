import { hashSecret } from '../auth/accessTokens';
import type { HandlerDependencies } from '../handlers/handlerSupport';
import { insertAuthorization } from '../store/authorizations';
import { putApiKey } from '../store/credentials';
import { newId, newSecret } from '../store/identifiers';
import { findLinkToken, useLinkToken } from '../store/linkTokens';
import { lockRow } from '../store/rowLocks';
import type { StoreAccess } from '../store/store';
import { assignApiKey, findUserByAddress, listMemberships, listUserRoles } from '../store/users';
import { type DeadLink, getLinkRejectionReason } from './links';

/** Result of requesting a key. Only this object contains the key in readable form. */
export type UserKey =
  | { kind: 'created'; email: string; id: string; key: string }
  | { kind: DeadLink | 'noRoles' };

/**
 * Creates an API key for a user who has just signed in. The key has the user's current roles and is
 * named after the email address.
 * @param formToken token from the page that the sign-in returned.
 */
export async function createUserKey(
  { store, now }: HandlerDependencies,
  formToken: string,
): Promise<UserKey> {
  const hash = hashSecret(formToken);
  return store.transaction().execute(async (transaction) => {
    const form = await findLinkToken(transaction, 'create-key', hash);
    const timestamp = now();
    if (form === undefined || !(await useLinkToken(transaction, hash, timestamp))) {
      return { kind: getLinkRejectionReason(await findLinkToken(transaction, 'create-key', hash)) };
    }
    const user = await findUserByAddress(transaction, form.email);
    const roles = user === undefined ? [] : await lockedRoles(transaction, user.id);
    if (user === undefined || roles.length === 0) {
      return { kind: 'noRoles' };
    }
    const [id, key] = [newId(), newSecret()];
    await putApiKey(transaction, {
      id,
      key_hash: hashSecret(key),
      name: user.email,
      created_at: timestamp,
    });
    for (const role of roles) {
      await insertAuthorization(transaction, {
        ...role,
        identity_type: 'api-key',
        identity_id: id,
      });
    }
    await assignApiKey(transaction, user.id, id);
    return { kind: 'created', email: user.email, id, key };
  });
}

/** Returns the user's roles and locks them until the transaction ends. */
async function lockedRoles(access: StoreAccess, userId: string) {
  const organizations = await listMemberships(access, userId);
  for (const id of organizations.map((organization) => organization.id).sort()) {
    await lockRow(access, 'organizations', id);
  }
  return listUserRoles(access, userId);
}
