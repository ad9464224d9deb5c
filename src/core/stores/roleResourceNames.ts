import { forEachBounded } from '../../base/bounded';
import type { Role } from '../model/access';
import { machineId, type OrganizationId } from '../model/ids';
import type { FleetStores } from './fleetStores';

const CALLS_AT_ONCE = 4;

/** Names of resources by ID. */
export type ResourceNames = ReadonlyMap<string, string>;

/**
 * Returns the names of the resources to which the roles in an organization apply. Gets locations
 * from one list and requests machines only if no list contains them. Skips unreadable resources.
 */
export async function roleResourceNames(
  { organizations, locations, machines }: FleetStores,
  organization: OrganizationId,
  roles: readonly Role[],
): Promise<ResourceNames> {
  const names = new Map<string, string>();
  const unknown = idsOn(roles, 'robot').filter((id) => {
    const machine = machines.peek(machineId(id));
    if (machine) names.set(id, machine.name);
    return !machine;
  });
  const reading: Promise<unknown>[] = [
    forEachBounded(unknown, CALLS_AT_ONCE, async (id) => {
      const machine = await machines.get(machineId(id)).catch(() => undefined);
      if (machine) names.set(id, machine.name);
    }),
  ];
  if (idsOn(roles, 'location').length > 0) {
    const listing = locations.list(organization).catch(() => []);
    reading.push(listing.then((all) => all.forEach(({ id, name }) => names.set(id, name))));
  }
  if (idsOn(roles, 'organization').length > 0) {
    const getting = organizations.get(organization).catch(() => undefined);
    reading.push(getting.then((found) => found && names.set(found.id, found.name)));
  }
  await Promise.all(reading);
  return names;
}

function idsOn(roles: readonly Role[], type: Role['resourceType']): readonly string[] {
  const ids = roles.filter(({ resourceType }) => resourceType === type);
  return [...new Set(ids.map(({ resourceId }) => resourceId))];
}
