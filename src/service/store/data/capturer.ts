import type { StoreAccess } from '../store';

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
