import type { Logger } from '../../base/logger';
import { hashSecret } from '../auth/accessTokens';
import type { HandlerDependencies } from '../handlers/handlerSupport';
import type { Mail, Mailer } from '../mail/mailer';
import { listInvites } from '../store/invites';
import {
  deleteLinkToken,
  findLinkToken,
  insertLinkToken,
  noteSignInMessage,
  useLinkToken,
} from '../store/linkTokens';
import { lockRow, type StoreAccess } from '../store/store';
import type { UserRow } from '../store/schema';
import {
  assignApiKey,
  findUserByAddress,
  listMemberships,
  listUserRoles,
  markLogin,
} from '../store/users';
import { type Account, describeAccount, joinByInvite } from './account';
import type { Micros } from '../store/micros';
import { formatTimestamp, letter } from './mailLayout';
import { newId, newSecret } from '../store/identifiers';
import { insertAuthorization } from '../store/authorizations';
import { putApiKey } from '../store/credentials';

const MAX_ADDRESS_LENGTH = 254;
/**
 * Rough pattern that protects the database and the mail server. It can be rough, because only known
 * addresses receive emails.
 */
const ADDRESS = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;

/** Dependencies for signing in. */
export interface SignInDependencies extends HandlerDependencies {
  mailer: Mailer;
  pageUrl: PageUrl;
  logger: Logger;
}

/** Result of opening a sign-in link. */
export type SignedIn =
  | { kind: 'signedIn'; account: Account; formToken: string }
  | { kind: DeadLink };

/**
 * Sends a sign-in link if the address belongs to a member or has an invitation, and if no link was
 * sent to it within the last minute. Doesn't report the result to the caller.
 */
export async function sendSignInLink(
  { store, now, mailer, pageUrl, logger }: SignInDependencies,
  address: string,
): Promise<void> {
  const email = address.trim().toLowerCase();
  if (email.length > MAX_ADDRESS_LENGTH || !ADDRESS.test(email)) return;
  const { token, hash } = newLinkToken();
  const timestamp = now();
  const expiresAt = timestamp + SIGN_IN_LINK_MICROS;
  const isDue = await store.transaction().execute(async (transaction) => {
    const due =
      (await isKnown(transaction, email)) &&
      (await noteSignInMessage(transaction, email, timestamp, timestamp - SIGN_IN_PAUSE_MICROS));
    if (due) {
      await insertLinkToken(transaction, {
        token_hash: hash,
        purpose: 'sign-in',
        email,
        organization_id: null,
        created_at: timestamp,
        expires_at: expiresAt,
      });
    }
    return due;
  });
  if (!isDue) return;
  try {
    await mailer.send(signInMail(email, pageUrl(`/sign-in/${token}`), expiresAt));
  } catch (error) {
    await deleteLinkToken(store, hash);
    logger.warn('a sign-in link could not be sent', { error: (error as Error).message });
  }
}

/**
 * Signs in an address's owner and accepts the invitations that were waiting for this login. Returns
 * the account with a token for one action on the page.
 */
export async function openSignInLink(
  { store, now }: HandlerDependencies,
  token: string,
): Promise<SignedIn> {
  const hash = hashSecret(token);
  return store.transaction().execute(async (transaction) => {
    const link = await findLinkToken(transaction, 'sign-in', hash);
    const timestamp = now();
    if (link === undefined || !(await useLinkToken(transaction, hash, timestamp))) {
      return { kind: getLinkRejectionReason(await findLinkToken(transaction, 'sign-in', hash)) };
    }
    const { email } = link;
    const user = await logIn(transaction, email, now);
    const form = newLinkToken();
    await insertLinkToken(transaction, {
      token_hash: form.hash,
      purpose: 'create-key',
      email,
      organization_id: null,
      created_at: timestamp,
      expires_at: timestamp + SIGN_IN_LINK_MICROS,
    });
    const account = await describeAccount(transaction, email, user?.id);
    return { kind: 'signedIn', account, formToken: form.token };
  });
}

/**
 * Records the login of an address's owner, and accepts the invitations that were waiting for it.
 * @returns the user; undefined if the address doesn't belong to a user yet.
 */
export async function logIn(
  access: StoreAccess,
  email: string,
  now: HandlerDependencies['now'],
): Promise<UserRow | undefined> {
  await acceptWaitingInvites(access, email, now);
  const user = await findUserByAddress(access, email);
  if (user !== undefined) await markLogin(access, user.id, now());
  return user;
}

async function isKnown(access: StoreAccess, email: string): Promise<boolean> {
  const user = await findUserByAddress(access, email);
  const memberships = user === undefined ? [] : await listMemberships(access, user.id);
  return memberships.length > 0 || (await listInvites(access, { email })).length > 0;
}

async function acceptWaitingInvites(
  access: StoreAccess,
  email: string,
  now: HandlerDependencies['now'],
): Promise<void> {
  const waiting = (await listInvites(access, { email })).filter((each) => each.applies_at_login);
  const ids = waiting.map((each) => each.organization_id).sort();
  // Locks all organizations before accepting the first invitation. Accepting it changes the user,
  // which could otherwise cause a deadlock between two logins.
  for (const id of ids) {
    await lockRow(access, 'organizations', id);
  }
  for (const id of ids) {
    // Read again, because the invitation might have been changed or canceled before the row was
    // locked.
    const [invite] = await listInvites(access, { organization_id: id, email });
    if (invite?.applies_at_login) await joinByInvite(access, invite, now());
  }
}

/** Returns the email that lets an address's owner sign in. */
function signInMail(to: string, url: string, expiresAt: Micros): Mail {
  return letter({
    to,
    subject: 'Sign in to Fleetwright',
    opening: `Someone, probably you, requested to sign in to Fleetwright as ${to}.`,
    act: 'Sign in',
    url,
    closing:
      `The link works once, until ${formatTimestamp(expiresAt)}. ` +
      "If you didn't request this, you can ignore this email.",
  });
}

/** Returns the public URL of a page on this service, for emails. */
export type PageUrl = (path: string) => string;

const SECOND = 1_000_000;

/** Lifetime of an invitation link. */
export const INVITE_LINK_MICROS: Micros = 7 * 24 * 3600 * SECOND;
/** Lifetime of a sign-in link and of the form on its page. */
const SIGN_IN_LINK_MICROS: Micros = 15 * 60 * SECOND;
/** Minimum time between two sign-in links to the same address. */
const SIGN_IN_PAUSE_MICROS: Micros = 60 * SECOND;

/** A link's secret, and the hash that the store contains. */
export interface LinkToken {
  token: string;
  hash: string;
}

/** Returns a token of 256 random bits, which can't be guessed. */
export function newLinkToken(): LinkToken {
  const token = newSecret();
  return { token, hash: hashSecret(token) };
}

/** Reason why a link is invalid: it was used, has expired, or never existed. */
export type DeadLink = 'used' | 'expired' | 'unknown';

/** Returns the reason why a link is invalid. */
export function getLinkRejectionReason(link: { used_at: Micros | null } | undefined): DeadLink {
  if (link === undefined) return 'unknown';
  return link.used_at === null ? 'expired' : 'used';
}

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
    if (user === undefined || roles.length === 0) return { kind: 'noRoles' };
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
