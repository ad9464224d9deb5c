import { sql } from 'kysely';
import type { LocationRow } from './schema';
import type { StoreAccess } from './store';

/**
 * Shares a location and everything in it with another organization. Has no effect if the location
 * is already shared.
 */
export async function insertLocationShare(
  access: StoreAccess,
  locationId: string,
  organizationId: string,
): Promise<void> {
  await access
    .insertInto('location_shares')
    .values({ location_id: locationId, organization_id: organizationId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes a share. Returns false if the location itself was not shared with the organization. */
export async function deleteLocationShare(
  access: StoreAccess,
  locationId: string,
  organizationId: string,
): Promise<boolean> {
  const { numDeletedRows } = await access
    .deleteFrom('location_shares')
    .where('location_id', '=', locationId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Returns the organizations that each location is shared with, directly or through a parent
 * location. Uses one query for any number of locations.
 */
export async function sharesByLocation(
  access: StoreAccess,
  locations: readonly Pick<LocationRow, 'organization_id'>[],
): Promise<Map<string, string[]>> {
  const owners = [...new Set(locations.map((row) => row.organization_id))];
  if (owners.length === 0) {
    return new Map();
  }
  const { rows } = await sql<{
    location_id: string;
    shared_with: string;
  }>`with recursive down (location_id, shared_with) as (
      select s.location_id, s.organization_id
        from location_shares s join locations l on l.id = s.location_id
        where l.organization_id in (${sql.join(owners)})
      union
      select l.id, down.shared_with from down join locations l on l.parent_id = down.location_id
    ) select location_id, shared_with from down order by shared_with`.execute(access);
  const shares = Map.groupBy(rows, (row) => row.location_id);
  return new Map([...shares].map(([id, of]) => [id, of.map((row) => row.shared_with)]));
}
