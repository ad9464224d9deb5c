import { newId, newSecret } from './identifiers';
import type { Micros } from './micros';
import type { SecretRow } from './schema';
import type { StoreAccess } from './store';

/** Adds a random secret for a location or a part. */
export async function insertSecret(
  access: StoreAccess,
  ownerType: SecretRow['owner_type'],
  ownerId: string,
  createdAt: Micros,
): Promise<void> {
  await access
    .insertInto('secrets')
    .values({
      id: newId(),
      owner_type: ownerType,
      owner_id: ownerId,
      secret: newSecret(),
      created_at: createdAt,
    })
    .execute();
}

/** The active secrets of parts or locations by their owner, the oldest first. One query. */
export async function listSecretsByOwner(
  access: StoreAccess,
  ownerIds: readonly string[],
): Promise<Map<string, SecretRow[]>> {
  const rows =
    ownerIds.length === 0
      ? []
      : await access
          .selectFrom('secrets')
          .selectAll()
          .where('owner_id', 'in', ownerIds)
          .orderBy('created_at')
          .orderBy('id')
          .execute();
  return Map.groupBy(rows, (row) => row.owner_id);
}

/** Removes a secret of a location or part, whose tokens die at once; false when there is none. */
export async function deleteSecret(
  access: StoreAccess,
  ownerId: string,
  secretId: string,
): Promise<boolean> {
  const { numDeletedRows } = await access
    .deleteFrom('secrets')
    .where('owner_id', '=', ownerId)
    .where('id', '=', secretId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
