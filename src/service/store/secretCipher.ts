import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_LENGTH = 16;
const KEY_ID_LABEL = 'fleetwright secrets key';
/** What encrypted texts begin with. Secrets are base64url, which has no colon. */
const VERSION = 'enc1';
/** What every encrypted text begins with, whatever its key. */
export const ENCRYPTED_PREFIX = `${VERSION}:`;

/** Encrypts and decrypts secrets of the store. */
export class SecretCipher {
  readonly #keys: ReadonlyMap<string, Uint8Array>;
  /** Names the key that encrypts. */
  readonly keyId: string;

  /** @param keys the key that encrypts, and earlier ones that only decrypt. */
  constructor([current, ...earlier]: readonly [Uint8Array, ...Uint8Array[]]) {
    this.keyId = computeKeyId(current);
    this.#keys = new Map([current, ...earlier].map((key) => [computeKeyId(key), key]));
  }

  hasKey(keyId: string): boolean {
    return this.#keys.has(keyId);
  }

  /**
   * Encrypts a secret.
   * @param owner names the row that the secret belongs to: in another row it cannot be decrypted.
   */
  encrypt(secret: string, owner: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key(this.keyId), nonce, {
      authTagLength: TAG_BYTES,
    });
    cipher.setAAD(Buffer.from(owner));
    const encrypted = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final()]);
    const sealed = Buffer.concat([encrypted, cipher.getAuthTag()]).toString('base64url');
    return `${VERSION}:${this.keyId}:${sealed}`;
  }

  /**
   * Decrypts what `encrypt` has returned for the same row.
   * @throws when the key is missing, or the text was changed or belongs to another row.
   */
  decrypt(encrypted: string, owner: string): string {
    const [version, keyId = '', sealed = ''] = encrypted.split(':');
    if (version !== VERSION) {
      throw new Error(
        `a secret of ${owner} is not encrypted in the format of this version of Fleetwright`,
      );
    }
    const bytes = Buffer.from(sealed, 'base64url');
    const decipher = createDecipheriv(CIPHER, this.#key(keyId), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(owner));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  }

  /** What texts begin with that are encrypted with the current key. */
  get prefix(): string {
    return `${VERSION}:${this.keyId}:`;
  }

  #key(keyId: string): Uint8Array {
    const key = this.#keys.get(keyId);
    if (key === undefined) {
      throw new Error(
        `a secret is encrypted with the key ${keyId}, which the service doesn't have`,
      );
    }
    return key;
  }
}

/** Whether a text is encrypted, with whatever key. */
export function isEncrypted(text: string): boolean {
  return text.startsWith(ENCRYPTED_PREFIX);
}

/** A new random key. */
export function newSecretsKey(): Uint8Array {
  return randomBytes(KEY_BYTES);
}

/** Names a key without telling anything about it. */
function computeKeyId(key: Uint8Array): string {
  return createHmac('sha256', key).update(KEY_ID_LABEL).digest('hex').slice(0, KEY_ID_LENGTH);
}
