import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export const CREDENTIAL_TYPES = ['api-key', 'robot-secret', 'robot-location-secret'] as const;

/** The credential types of the wire: people and programs use the first, machines the others. */
export type CredentialType = (typeof CREDENTIAL_TYPES)[number];

/** What a token names: a credential by its type and its id. */
export interface TokenSubject {
  type: CredentialType;
  /** Id of the API key or of the machine secret. */
  credentialId: string;
  /** For machines the part that signed in, otherwise empty. */
  partId: string;
}

const TOKEN_VERSION = 'fw1';

/** SHA-256 of a secret in hexadecimal: what the store keeps instead of an API key. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares two texts without telling by its duration where they differ. */
export function sameText(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Access tokens that need no table of their own: a token names its credential and is signed over
 * the credential's current hash. So it survives restarts, does not expire by time (public clients
 * never refresh), and dies at once when the credential is rotated or deleted.
 */
export class AccessTokens {
  readonly #signingKey: string;

  constructor(signingKey: string) {
    this.#signingKey = signingKey;
  }

  /** The token for a credential whose secret has this hash. */
  issue(subject: TokenSubject, credentialHash: string): string {
    const claims = Buffer.from(
      JSON.stringify([subject.type, subject.credentialId, subject.partId]),
    ).toString('base64url');
    return `${TOKEN_VERSION}.${claims}.${this.#sign(claims, credentialHash)}`;
  }

  /** Reads what a token names, before its signature is checked; undefined when it is malformed. */
  read(token: string): TokenSubject | undefined {
    const [version, claims, signature, ...rest] = token.split('.');
    if (version !== TOKEN_VERSION || !claims || !signature || rest.length > 0) {
      return undefined;
    }
    return parseClaims(claims);
  }

  /** Whether the token was issued here for the credential with this hash. */
  verify(token: string, credentialHash: string): boolean {
    const [, claims = '', signature = ''] = token.split('.');
    return sameText(signature, this.#sign(claims, credentialHash));
  }

  #sign(claims: string, credentialHash: string): string {
    return createHmac('sha256', this.#signingKey)
      .update(`${claims}.${credentialHash}`)
      .digest('base64url');
  }
}

function parseClaims(claims: string): TokenSubject | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString());
    if (!Array.isArray(parsed)) {
      return undefined;
    }
    const [type, credentialId, partId] = parsed as unknown[];
    const known = CREDENTIAL_TYPES.find((candidate) => candidate === type);
    return known !== undefined && typeof credentialId === 'string' && typeof partId === 'string'
      ? { type: known, credentialId, partId }
      : undefined;
  } catch {
    return undefined;
  }
}
