import { hashSecret } from '../auth/accessTokens';
import { newSecret } from '../store/identifiers';
import type { Micros } from '../store/micros';

/** Returns the public URL of a page of this service, for emails. */
export type PageUrl = (path: string) => string;

const SECOND = 1_000_000;

/** Lifetime of an invitation link. */
export const INVITE_LINK_MICROS: Micros = 7 * 24 * 3600 * SECOND;
/** Lifetime of a sign-in link and of the form on its page. */
export const SIGN_IN_LINK_MICROS: Micros = 15 * 60 * SECOND;
/** Minimum time between two sign-in links to the same address. */
export const SIGN_IN_PAUSE_MICROS: Micros = 60 * SECOND;

/** Secret of a link, and the hash that the store contains. */
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
  if (link === undefined) {
    return 'unknown';
  }
  return link.used_at === null ? 'expired' : 'used';
}
