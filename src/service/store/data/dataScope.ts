import { sql } from 'kysely';
import type { StoreAccess } from '../store';
import { all, any, type Condition, isOneOf } from './conditions';

/**
 * Organizations, locations (with everything nested in them), and machines whose data can be used.
 */
export interface DataScope {
  organizationIds: readonly string[];
  locationIds: readonly string[];
  /**
   * Machines, each with an organization. Only data that the machine captured in that organization
   * is included, because the machine might have previously been in another organization.
   */
  machines: readonly { organizationId: string; machineId: string }[];
}

/**
 * Returns the given locations with everything nested in them, and the locations shared with an
 * organization.
 */
export async function expandLocations(
  access: StoreAccess,
  locationIds: readonly string[],
  guestOrganizationIds: readonly string[],
): Promise<string[]> {
  if (locationIds.length + guestOrganizationIds.length === 0) return [];
  const { rows } = await sql<{ id: string }>`with recursive down (id) as (
      select id from locations where ${isOneOf('id', locationIds)}
      union
      select location_id from location_shares
        where ${isOneOf('organization_id', guestOrganizationIds)}
      union
      select l.id from down join locations l on l.parent_id = down.id
    ) select id from down`.execute(access);
  return rows.map(({ id }) => id);
}

/**
 * Returns the condition that data is in a scope.
 * @param table table or alias with the columns of the data's origin
 */
export function inScope(
  table: string,
  { organizationIds, locationIds, machines }: DataScope,
): Condition {
  const organization = `${table}.organization_id`;
  return any([
    isOneOf(organization, organizationIds),
    isOneOf(`${table}.location_id`, locationIds),
    ...machines.map(({ organizationId, machineId }) =>
      all([isOneOf(organization, [organizationId]), isOneOf(`${table}.robot_id`, [machineId])]),
    ),
  ]);
}

/** Part and its ancestors, with the names that they had at the time of an upload. */
export interface Capturer {
  organization_id: string;
  location_id: string;
  robot_id: string;
  robot_name: string;
  part_id: string;
  part_name: string;
}

/**
 * Returns the origin to store with data that a part has captured; undefined if the part doesn't
 * exist.
 */
export async function findCapturer(
  access: StoreAccess,
  partId: string,
): Promise<Capturer | undefined> {
  return access
    .selectFrom('parts as p')
    .innerJoin('machines as m', 'm.id', 'p.machine_id')
    .innerJoin('locations as l', 'l.id', 'm.location_id')
    .select([
      'l.organization_id',
      'l.id as location_id',
      'm.id as robot_id',
      'm.name as robot_name',
      'p.id as part_id',
      'p.name as part_name',
    ])
    .where('p.id', '=', partId)
    .executeTakeFirst();
}
