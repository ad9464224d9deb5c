import { hashSecret } from '../auth/accessTokens';
import { newSecret } from '../store/identifiers';
import type { Micros } from '../store/micros';

/** The address of a page of this service, as a message says it. */
export type PageUrl = (path: string) => string;

const SECOND = 1_000_000;

/** How long the link of an invite works. */
export const INVITE_LINK_MICROS: Micros = 7 * 24 * 3600 * SECOND;
/** How long a link to sign in works, and the form on the page behind it. */
export const SIGN_IN_LINK_MICROS: Micros = 15 * 60 * SECOND;
/** An address is sent one link to sign in within this time at most. */
export const SIGN_IN_PAUSE_MICROS: Micros = 60 * SECOND;

/** What a link carries, and the hash by which the store knows it. */
export interface LinkToken {
  token: string;
  hash: string;
}

/** A token of 256 random bits, which nobody guesses. */
export function newLinkToken(): LinkToken {
  const token = newSecret();
  return { token, hash: hashSecret(token) };
}

/** Why a link does nothing any more: it was used, its time is over, or there is none. */
export type DeadLink = 'used' | 'expired' | 'unknown';

/** Why a link that could not be used is dead. */
export function deathOf(link: { used_at: Micros | null } | undefined): DeadLink {
  if (link === undefined) {
    return 'unknown';
  }
  return link.used_at === null ? 'expired' : 'used';
}
