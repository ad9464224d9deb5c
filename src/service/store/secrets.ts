import { newId, newSecret } from './identifiers';
import { queryByIds } from './idBatches';
import type { Micros } from './micros';
import type { SecretRow } from './schema';
import type { StoreAccess } from './store';

/** Whose secret it is: machines sign in with that of their part or of their location. */
export type SecretOwner = 'location' | 'part';

const OWNER_COLUMNS = { location: 'location_id', part: 'part_id' } as const;

/** Adds a random secret for a location or a part. */
export async function insertSecret(
  access: StoreAccess,
  owner: SecretOwner,
  ownerId: string,
  createdAt: Micros,
): Promise<void> {
  await access
    .insertInto('secrets')
    .values({
      id: newId(),
      location_id: owner === 'location' ? ownerId : null,
      part_id: owner === 'part' ? ownerId : null,
      secret: newSecret(),
      created_at: createdAt,
    })
    .execute();
}

/** The active secrets of parts or locations by their owner, the oldest first. One query. */
export async function listSecretsByOwner(
  access: StoreAccess,
  owner: SecretOwner,
  ownerIds: readonly string[],
): Promise<Map<string, SecretRow[]>> {
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
  return Map.groupBy(rows, (row) => row[column] ?? '');
}

/** Removes a secret of a location or part, whose tokens die at once; false when there is none. */
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
