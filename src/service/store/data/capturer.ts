import type { StoreAccess } from '../store';

/** A part and what contains it, as they are called at the moment of an upload. */
export interface Capturer {
  organization_id: string;
  location_id: string;
  robot_id: string;
  robot_name: string;
  part_id: string;
  part_name: string;
}

/** Reads what captured data is remembered to be captured by; undefined when there is no such part. */
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
