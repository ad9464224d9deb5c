import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** Data that verifies a password without revealing it (RFC 5802, RFC 7677). */
export interface ScramCredential {
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
  if (proof.byteLength !== KEY_BYTES) {
    return false;
  }
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
