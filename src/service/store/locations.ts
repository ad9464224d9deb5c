import { sql } from 'kysely';
import { queryByIds } from './identifiers';
import type { Micros } from './micros';
import { EMPTY_OBJECT_JSON } from './organizations';
import type { FleetSchema, LocationRow } from './schema';
import type { StoreAccess } from './store';

/** Location with the fields in its wire format that aren't columns in its row. */
export type LocationWithCounts = LocationRow & {
  organization_name: string;
  /** Number of machines directly in the location, excluding nested locations. */
  machine_count: number;
};

export async function insertLocation(
  access: StoreAccess,
  location: {
    id: string;
    organizationId: string;
    parentId: string | null;
    name: string;
    region: string;
    createdAt: Micros;
  },
): Promise<void> {
  await access
    .insertInto('locations')
    .values({
      id: location.id,
      organization_id: location.organizationId,
      parent_id: location.parentId,
      name: location.name,
      created_at: location.createdAt,
      region: location.region,
      metadata: EMPTY_OBJECT_JSON,
    })
    .execute();
}

function selectLocations(access: StoreAccess) {
  return access
    .selectFrom('locations as l')
    .innerJoin('organizations as o', 'o.id', 'l.organization_id')
    .selectAll('l')
    .select('o.name as organization_name')
    .select(
      sql<number>`(select count(*) from machines m where m.location_id = l.id)`.as('machine_count'),
    );
}

export async function findLocation(
  access: StoreAccess,
  id: string,
): Promise<LocationWithCounts | undefined> {
  return selectLocations(access).where('l.id', '=', id).executeTakeFirst();
}

/** Returns all of an organization's locations, oldest first. */
export async function listLocations(
  access: StoreAccess,
  organizationId: string,
): Promise<LocationWithCounts[]> {
  return selectLocations(access)
    .where('l.organization_id', '=', organizationId)
    .orderBy('l.created_at')
    .orderBy('l.id')
    .execute();
}

/** Returns the locations shared with an organization, and those nested in them, oldest first. */
export async function listSharedLocations(
  access: StoreAccess,
  organizationId: string,
): Promise<LocationWithCounts[]> {
  return selectLocations(access)
    .where(
      'l.id',
      'in',
      sql<string>`(with recursive down (id) as (
        select location_id from location_shares where organization_id = ${organizationId}
        union
        select l.id from down join locations l on l.parent_id = down.id
      ) select id from down)`,
    )
    .orderBy('l.created_at')
    .orderBy('l.id')
    .execute();
}

export type LocationChanges = Partial<
  Pick<FleetSchema['locations'], 'name' | 'parent_id' | 'region'>
>;

export async function updateLocation(
  access: StoreAccess,
  id: string,
  changes: LocationChanges,
): Promise<void> {
  if (Object.keys(changes).length > 0) {
    await access.updateTable('locations').set(changes).where('id', '=', id).execute();
  }
}

/** Returns the IDs of a location and all locations nested in it, at any depth. */
export async function listDescendantIds(access: StoreAccess, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`with recursive down (id) as (
      select id from locations where id = ${id}
      union all
      select l.id from locations l join down on l.parent_id = down.id
    ) select id from down`.execute(access);
  return rows.map((row) => row.id);
}

/**
 * Moves all nested locations directly into the location before it is deleted, because SQLite limits
 * the depth of a cascade to a thousand levels.
 */
async function flattenLocations(access: StoreAccess, id: string): Promise<void> {
  await sql`with recursive down (id) as (
      select id from locations where parent_id = ${id}
      union all
      select l.id from locations l join down on l.parent_id = down.id
    ) update locations set parent_id = ${id} where id in (select id from down)`.execute(access);
}

/** Returns the IDs of the locations that contain the given machines. */
export async function listMachineLocationIds(
  access: StoreAccess,
  machineIds: readonly string[],
): Promise<string[]> {
  const rows = await queryByIds(machineIds, (batch) =>
    access
      .selectFrom('machines')
      .select('location_id')
      .distinct()
      .where('id', 'in', batch)
      .execute(),
  );
  return [...new Set(rows.map((row) => row.location_id))];
}

/**
 * Deletes a location with everything in it: nested locations, machines, parts, histories, secrets,
 * and the roles on any of them. Must run in a transaction that then deletes the keys without roles.
 */
export async function deleteLocation(access: StoreAccess, id: string): Promise<void> {
  await flattenLocations(access, id);
  await access.deleteFrom('locations').where('id', '=', id).execute();
}

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
 * Returns the organizations with which each location is shared, directly or through a parent
 * location. Uses one query for any number of locations.
 */
export async function sharesByLocation(
  access: StoreAccess,
  locations: readonly Pick<LocationRow, 'organization_id'>[],
): Promise<Map<string, string[]>> {
  const owners = [...new Set(locations.map((row) => row.organization_id))];
  if (owners.length === 0) return new Map();
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
