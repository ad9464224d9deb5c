import {
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';

export const CREDENTIAL_TYPES = ['api-key', 'robot-secret', 'robot-location-secret'] as const;

/**
 * Credential types in the wire protocol. The first type is for users and programs; the other types
 * are for machines.
 */
export type CredentialType = (typeof CREDENTIAL_TYPES)[number];

/** A token's credential: its type and ID. */
export interface TokenSubject {
  type: CredentialType;
  /** ID of the API key or machine secret. */
  credentialId: string;
  /** ID of the part that signed in; empty for credentials that don't belong to a machine. */
  partId: string;
}

const TOKEN_VERSION = 'fw1';

/**
 * Returns the hexadecimal SHA-256 hash of a secret. The database stores this hash instead of the
 * API key.
 */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares two strings in constant time. */
export function isEqualConstantTime(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Stateless access tokens. A token contains the ID of its credential and is signed with the
 * credential's current hash. Tokens survive restarts and don't expire, because public clients never
 * refresh them. They become invalid immediately when the credential is rotated or deleted.
 */
export class AccessTokens {
  private readonly signingKey: KeyObject;

  constructor(signingKey: string) {
    this.signingKey = createSecretKey(signingKey, 'utf8');
  }

  /** Returns a token for a credential, given the hash of the credential's secret. */
  issue(subject: TokenSubject, credentialHash: string): string {
    const claims = Buffer.from(
      JSON.stringify([subject.type, subject.credentialId, subject.partId]),
    ).toString('base64url');
    return `${TOKEN_VERSION}.${claims}.${this.sign(claims, credentialHash)}`;
  }

  /** Parses a token without checking its signature; undefined if the token is malformed. */
  read(token: string): TokenSubject | undefined {
    const [version, claims, signature, ...rest] = token.split('.');
    if (version !== TOKEN_VERSION || !claims || !signature || rest.length > 0) return undefined;
    return parseClaims(claims);
  }

  /** Returns true if this service issued the token for the credential with the given hash. */
  verify(token: string, credentialHash: string): boolean {
    const [, claims = '', signature = ''] = token.split('.');
    return isEqualConstantTime(signature, this.sign(claims, credentialHash));
  }

  private sign(claims: string, credentialHash: string): string {
    return createHmac('sha256', this.signingKey)
      .update(`${claims}.${credentialHash}`)
      .digest('base64url');
  }
}

function parseClaims(claims: string): TokenSubject | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString());
    if (!Array.isArray(parsed)) return undefined;
    const [type, credentialId, partId] = parsed as unknown[];
    const known = CREDENTIAL_TYPES.find((candidate) => candidate === type);
    return known !== undefined && typeof credentialId === 'string' && typeof partId === 'string'
      ? { type: known, credentialId, partId }
      : undefined;
  } catch {
    return undefined;
  }
}
