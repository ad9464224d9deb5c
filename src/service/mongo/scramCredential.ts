import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** What proves a password without telling it (RFC 5802, RFC 7677). */
export interface ScramCredential {
  salt: Buffer;
  iterations: number;
  /** Tells whether a client knows the password. */
  storedKey: Buffer;
  /** Tells a client that the server knows it too. */
  serverKey: Buffer;
}

const SALT_BYTES = 28;
/** Clients compute them once for a password; they make guessing from a stolen store slow. */
const ITERATIONS = 100_000;
const HASH = 'sha256';
const KEY_BYTES = 32;

const derive = promisify(pbkdf2);

/** What to keep of a prepared password. */
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

/** What stands for a user that there is not: the same every time, and no password fits it. */
export function absentCredential(secret: string, userName: string): ScramCredential {
  const bytes = hmac(Buffer.from(secret), `salt of ${userName}`);
  return {
    salt: bytes.subarray(0, SALT_BYTES),
    iterations: ITERATIONS,
    storedKey: randomBytes(KEY_BYTES),
    serverKey: randomBytes(KEY_BYTES),
  };
}

/** Whether a client's proof shows that it knows the password, for what both have said so far. */
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

/** What shows the client that this server knows the password. */
export function serverSignature({ serverKey }: ScramCredential, authMessage: string): Buffer {
  return hmac(serverKey, authMessage);
}

function hmac(key: Uint8Array, text: string): Buffer {
  return createHmac(HASH, key).update(text).digest();
}

function hash(bytes: Uint8Array): Buffer {
  return createHash(HASH).update(bytes).digest();
}
