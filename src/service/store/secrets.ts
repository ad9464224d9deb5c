import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { newId, newSecret, queryByIds } from './identifiers';
import type { Micros } from './micros';
import type { SecretRow } from './schema';
import { PreparedQuery, type StoreAccess } from './store';

/** Kind of secret owner. Machines authenticate with their part's or location's secret. */
export type SecretOwner = 'location' | 'part';

/** Secret that machines use to authenticate. */
export interface MachineSecret {
  id: string;
  secret: string;
  createdAt: Micros;
}

const OWNER_COLUMNS = { location: 'location_id', part: 'part_id' } as const;

function selectSecrets(access: StoreAccess, owner: SecretOwner, ownerIds: readonly string[]) {
  return access
    .selectFrom('secrets')
    .selectAll()
    .where(OWNER_COLUMNS[owner], 'in', ownerIds)
    .orderBy('created_at')
    .orderBy('id');
}

const secretsOfOne: Readonly<Record<SecretOwner, PreparedQuery<SecretRow>>> = {
  location: new PreparedQuery((access, id) => selectSecrets(access, 'location', [id])),
  part: new PreparedQuery((access, id) => selectSecrets(access, 'part', [id])),
};

/**
 * Returns an ID for the combination of a secret's row and owner. The encrypted secret is bound to
 * this ID.
 */
export function secretOwner(row: Pick<SecretRow, 'id' | 'location_id' | 'part_id'>): string {
  return row.location_id === null
    ? `secrets/${row.id}/part/${row.part_id ?? ''}`
    : `secrets/${row.id}/location/${row.location_id}`;
}

/** Secrets of locations and parts, which are encrypted in the store. */
export class MachineSecrets {
  constructor(private readonly cipher: SecretCipher) {}

  /** Adds a random secret for a location or part. */
  async insert(
    access: StoreAccess,
    owner: SecretOwner,
    ownerId: string,
    createdAt: Micros,
  ): Promise<void> {
    const row = {
      id: newId(),
      location_id: owner === 'location' ? ownerId : null,
      part_id: owner === 'part' ? ownerId : null,
      created_at: createdAt,
    };
    const encrypted = this.cipher.encrypt(newSecret(), secretOwner(row));
    await access
      .insertInto('secrets')
      .values({ ...row, encrypted_secret: encrypted })
      .execute();
  }

  /** Returns the active secrets of parts or locations by owner, oldest first. Uses one query. */
  async listByOwner(
    access: StoreAccess,
    owner: SecretOwner,
    ownerIds: readonly string[],
  ): Promise<Map<string, MachineSecret[]>> {
    const column = OWNER_COLUMNS[owner];
    const [id, ...others] = ownerIds;
    const rows =
      id !== undefined && others.length === 0
        ? await secretsOfOne[owner].execute(access, id)
        : await queryByIds(ownerIds, (batch) => selectSecrets(access, owner, batch).execute());
    return new Map(
      [...Map.groupBy(rows, (row) => row[column] ?? '')].map(([ownerId, ofOwner]) => [
        ownerId,
        ofOwner.map((row) => ({
          id: row.id,
          secret: this.cipher.decrypt(row.encrypted_secret, secretOwner(row)),
          createdAt: row.created_at,
        })),
      ]),
    );
  }
}

/**
 * Deletes a secret of a location or part, which immediately revokes the tokens issued for the
 * secret. Returns false if the secret doesn't exist.
 */
export async function deleteSecret(
  access: StoreAccess,
  owner: SecretOwner,
  ownerId: string,
  secretId: string,
): Promise<boolean> {
  const { numDeletedRows } = await access
    .deleteFrom('secrets')
    .where(OWNER_COLUMNS[owner], '=', ownerId)
    .where('id', '=', secretId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_LENGTH = 16;
const KEY_ID_LABEL = 'fleetwright secrets key';
/**
 * Version prefix of encrypted values. Plaintext secrets are base64url, which never contains a
 * colon.
 */
const VERSION = 'enc1';
/** Prefix for all encrypted values, regardless of the key. */
export const ENCRYPTED_PREFIX = `${VERSION}:`;

/** Encrypts and decrypts secrets in the store. */
export class SecretCipher {
  /** Key objects, because Node.js takes several times as long to prepare a key for each call. */
  private readonly keys: ReadonlyMap<string, KeyObject>;
  /** ID of the encryption key. */
  readonly keyId: string;

  /** @param keys encryption key, followed by earlier keys that are used only for decryption. */
  constructor([current, ...earlier]: readonly [Uint8Array, ...Uint8Array[]]) {
    this.keyId = computeKeyId(current);
    this.keys = new Map(
      [current, ...earlier].map((key) => [computeKeyId(key), createSecretKey(key)]),
    );
  }

  hasKey(keyId: string): boolean {
    return this.keys.has(keyId);
  }

  /**
   * Encrypts a secret.
   * @param owner ID of the row that contains the secret. The secret can't be decrypted in another
   *   row.
   */
  encrypt(secret: string, owner: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key(this.keyId), nonce, {
      authTagLength: TAG_BYTES,
    });
    cipher.setAAD(Buffer.from(owner));
    const encrypted = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final()]);
    const sealed = Buffer.concat([encrypted, cipher.getAuthTag()]).toString('base64url');
    return `${VERSION}:${this.keyId}:${sealed}`;
  }

  /**
   * Decrypts a secret that was encrypted with `encrypt` for the same row.
   * @throws if the key is missing, or if the ciphertext was modified or belongs to another row.
   */
  decrypt(encrypted: string, owner: string): string {
    const [version, keyId = '', sealed = ''] = encrypted.split(':');
    if (version !== VERSION) {
      throw new Error(
        `a secret of ${owner} is not encrypted in the format of this version of Fleetwright`,
      );
    }
    const bytes = Buffer.from(sealed, 'base64url');
    const decipher = createDecipheriv(CIPHER, this.key(keyId), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(owner));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  }

  /** Prefix of values that are encrypted with the current key. */
  get prefix(): string {
    return `${VERSION}:${this.keyId}:`;
  }

  private key(keyId: string): KeyObject {
    const key = this.keys.get(keyId);
    if (key === undefined) {
      throw new Error(
        `a secret is encrypted with the key ${keyId}, which the service doesn't have`,
      );
    }
    return key;
  }
}

/** Returns true if a string is encrypted, regardless of the key. */
export function isEncrypted(text: string): boolean {
  return text.startsWith(ENCRYPTED_PREFIX);
}

/** Returns a new random key. */
export function newSecretsKey(): Uint8Array {
  return randomBytes(KEY_BYTES);
}

/** Returns an ID for a key. The ID reveals nothing about the key. */
function computeKeyId(key: Uint8Array): string {
  return createHmac('sha256', key).update(KEY_ID_LABEL).digest('hex').slice(0, KEY_ID_LENGTH);
}
