import type { SecretCipher } from './secretCipher';
import { newId, newSecret } from './identifiers';
import { queryByIds } from './idBatches';
import type { Micros } from './micros';
import type { SecretRow } from './schema';
import type { StoreAccess } from './store';

/** Kind of owner of a secret. Machines authenticate with the secret of their part or location. */
export type SecretOwner = 'location' | 'part';

/** Secret that machines use to authenticate. */
export interface MachineSecret {
  id: string;
  secret: string;
  createdAt: Micros;
}

const OWNER_COLUMNS = { location: 'location_id', part: 'part_id' } as const;

/**
 * Returns an ID for the combination of a secret's row and owner. The encrypted text is bound to
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
    const rows = await queryByIds(ownerIds, (batch) =>
      access
        .selectFrom('secrets')
        .selectAll()
        .where(column, 'in', batch)
        .orderBy('created_at')
        .orderBy('id')
        .execute(),
    );
    return new Map(
      [...Map.groupBy(rows, (row) => row[column] ?? '')].map(([id, ofOwner]) => [
        id,
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
