import { forEachBounded } from '../../base/bounded';
import type { AssignedRole } from '../model/access';
import { hasRight } from '../model/permissions';
import type { FleetStores } from './fleetStores';

const CONCURRENT_LISTS = 4;

/**
 * Returns true if an API key is known to have no owner roles in the fleet, so that it can't edit
 * anything even if its connection isn't read-only. Returns false if the key's roles can't be read, for example because it has no role on
 * the organization. Never throws.
 */
export async function isReadOnlyKey(
  { access, organizations, roles }: FleetStores,
  keyId: string,
): Promise<boolean> {
  try {
    const all = await organizations.list();
    const granted = await access.getPermissions(
      all.map(({ id }) => ({ type: 'organization', id })),
    );
    // No further call is necessary for owners of an organization.
    if (granted.some((rights) => hasRight('organization', rights, 'inspect'))) return false;
    const assigned: AssignedRole[] = [];
    await forEachBounded(all, CONCURRENT_LISTS, async ({ id }) => {
      assigned.push(...(await roles.list(id)));
    });
    const own = assigned.filter(
      ({ identity }) => identity.type === 'apiKey' && identity.id === keyId,
    );
    return own.length > 0 && own.every(({ name }) => name !== 'owner');
  } catch {
    return false;
  }
}
