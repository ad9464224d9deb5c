import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { DatabaseUserRow } from '../store/data/dataSchema';
import type { Micros } from '../store/micros';

/** Data that verifies a password without revealing it (RFC 5802, RFC 7677). */
interface ScramCredential {
  salt: Buffer;
  iterations: number;
  /** Key for verifying that a client knows the password. */
  storedKey: Buffer;
  /** Key for proving to a client that the server also knows the password. */
  serverKey: Buffer;
}

const SALT_BYTES = 28;
/**
 * Number of hash iterations that a client computes once per password. A high number makes it harder
 * to guess passwords from a stolen database.
 */
const ITERATIONS = 100_000;
const HASH = 'sha256';
const KEY_BYTES = 32;

const derive = promisify(pbkdf2);

/** Returns the credential to store for a prepared password. */
export async function scramCredential(
  preparedPassword: string,
  salt = randomBytes(SALT_BYTES),
  iterations = ITERATIONS,
): Promise<ScramCredential> {
  const salted = await derive(preparedPassword, salt, iterations, KEY_BYTES, HASH);
  return {
    salt,
    iterations,
    storedKey: hash(hmac(salted, 'Client Key')),
    serverKey: hmac(salted, 'Server Key'),
  };
}

/**
 * Returns a fake credential for a nonexistent user. It is always the same for a given user name,
 * and no password matches it.
 */
export function absentCredential(secret: string, userName: string): ScramCredential {
  const bytes = hmac(Buffer.from(secret), `salt of ${userName}`);
  return {
    salt: bytes.subarray(0, SALT_BYTES),
    iterations: ITERATIONS,
    storedKey: randomBytes(KEY_BYTES),
    serverKey: randomBytes(KEY_BYTES),
  };
}

/**
 * Returns true if a client's proof for the messages exchanged so far shows that the client knows
 * the password.
 */
export function isProof(
  { storedKey }: ScramCredential,
  authMessage: string,
  proof: Uint8Array,
): boolean {
  if (proof.byteLength !== KEY_BYTES) return false;
  const signature = hmac(storedKey, authMessage);
  const clientKey = signature.map((byte, index) => byte ^ (proof[index] ?? 0));
  return timingSafeEqual(hash(clientKey), storedKey);
}

/** Returns the signature that proves to the client that this server knows the password. */
export function serverSignature({ serverKey }: ScramCredential, authMessage: string): Buffer {
  return hmac(serverKey, authMessage);
}

function hmac(key: Uint8Array, text: string): Buffer {
  return createHmac(HASH, key).update(text).digest();
}

function hash(bytes: Uint8Array): Buffer {
  return createHash(HASH).update(bytes).digest();
}

/** A client's first message: its user name and a nonce. */
export interface ClientFirst {
  userName: string;
  /** Message without the header before the name. */
  bare: string;
  nonce: string;
}

const NONCE_BYTES = 24;
/**
 * Matches a message without channel binding and without a separate authorization identity, which is
 * the format that MongoDB drivers send.
 */
const CLIENT_FIRST = /^n,,(n=([^,]+),r=([\x21-\x2B\x2D-\x7E]+))$/u;
const CLIENT_FINAL = /^(c=biws,r=([\x21-\x2B\x2D-\x7E]+)),p=([A-Za-z0-9+/]+={0,2})$/u;
const ESCAPES: Readonly<Record<string, string>> = { '=2C': ',', '=3D': '=' };

/** Parses the first message of an exchange (RFC 5802); undefined if the message is invalid. */
export function readClientFirst(message: string): ClientFirst | undefined {
  const [, bare, name, nonce] = CLIENT_FIRST.exec(message) ?? [];
  if (bare === undefined || name === undefined || nonce === undefined) return undefined;
  return { userName: name.replaceAll(/=2C|=3D/g, (escape) => ESCAPES[escape] ?? ''), bare, nonce };
}

/**
 * The server side of an exchange: creates the server's first message and verifies the client's
 * proof.
 */
export class ScramExchange {
  readonly serverFirst: string;
  private readonly nonce: string;

  constructor(
    private readonly clientFirst: ClientFirst,
    private readonly credential: ScramCredential,
  ) {
    this.nonce = clientFirst.nonce + randomBytes(NONCE_BYTES).toString('base64');
    const { salt, iterations } = credential;
    this.serverFirst = `r=${this.nonce},s=${salt.toString('base64')},i=${iterations}`;
  }

  /** Returns the server's final message; undefined if the client doesn't know the password. */
  serverFinal(clientFinal: string): string | undefined {
    const [, withoutProof, nonce, proof] = CLIENT_FINAL.exec(clientFinal) ?? [];
    if (withoutProof === undefined || proof === undefined || nonce !== this.nonce) {
      return undefined;
    }
    const authMessage = `${this.clientFirst.bare},${this.serverFirst},${withoutProof}`;
    return isProof(this.credential, authMessage, Buffer.from(proof, 'base64'))
      ? `v=${serverSignature(this.credential, authMessage).toString('base64')}`
      : undefined;
  }
}

const TEXT = 'base64';

/** Returns the row that stores the credential for an organization's database user. */
export function databaseUserRow(
  organizationId: string,
  { salt, iterations, storedKey, serverKey }: ScramCredential,
  configuredAt: Micros,
): DatabaseUserRow {
  return {
    organization_id: organizationId,
    salt: salt.toString(TEXT),
    iterations,
    stored_key: storedKey.toString(TEXT),
    server_key: serverKey.toString(TEXT),
    configured_at: configuredAt,
  };
}

/** Returns the credential stored in a row. */
export function storedCredential(row: DatabaseUserRow): ScramCredential {
  return {
    salt: Buffer.from(row.salt, TEXT),
    iterations: row.iterations,
    storedKey: Buffer.from(row.stored_key, TEXT),
    serverKey: Buffer.from(row.server_key, TEXT),
  };
}
