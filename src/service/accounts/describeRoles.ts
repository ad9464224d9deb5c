import { oneLine } from '../mail/mailContent';
import { queryByIds } from '../store/idBatches';
import type { InvitedRole } from '../store/invites';
import type { ResourceType } from '../store/schema';
import type { StoreAccess } from '../store/store';

const KIND_WORDS: Record<ResourceType, string> = {
  organization: 'organization',
  location: 'location',
  robot: 'machine',
};
const TABLES = { organization: 'organizations', location: 'locations', robot: 'machines' } as const;

/** Returns descriptions of roles, such as `operator of the machine “arm”`, in the given order. */
export async function describeRoles(
  access: StoreAccess,
  roles: readonly InvitedRole[],
): Promise<string[]> {
  const names = new Map<string, string>();
  for (const type of ['organization', 'location', 'robot'] as const) {
    const ids = roles.filter((role) => role.resource_type === type).map((role) => role.resource_id);
    const rows = await queryByIds(ids, (batch) =>
      access.selectFrom(TABLES[type]).select(['id', 'name']).where('id', 'in', batch).execute(),
    );
    rows.forEach((row) => names.set(`${type} ${row.id}`, row.name));
  }
  return roles.map(({ role, resource_type: type, resource_id: id }) => {
    const name = names.get(`${type} ${id}`) ?? id;
    return `${role} of the ${KIND_WORDS[type]} "${oneLine(name)}"`;
  });
}
