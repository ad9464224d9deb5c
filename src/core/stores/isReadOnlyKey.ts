import { forEachBounded } from '../../base/bounded';
import type { AssignedRole } from '../model/access';
import { hasRight } from '../model/permissions';
import type { FleetStores } from './fleetStores';

const CONCURRENT_LISTS = 4;

/**
 * Returns whether a key is known to own nothing in the fleet, so that it can edit nothing. A key whose roles cannot be
 * read, such as one without a role on the organization, is not known to be read-only. Never fails.
 */
export async function isReadOnlyKey(
  { access, organizations, roles }: FleetStores,
  keyId: string,
): Promise<boolean> {
  try {
    const all = await organizations.list();
    const granted = await access.mayOn(all.map(({ id }) => ({ type: 'organization', id })));
    // Owners of an organization need no further call.
    if (granted.some((rights) => hasRight('organization', rights, 'administer'))) return false;
    const held: AssignedRole[] = [];
    await forEachBounded(all, CONCURRENT_LISTS, async ({ id }) => {
      held.push(...(await roles.list(id)));
    });
    const own = held.filter(({ identity }) => identity.type === 'apiKey' && identity.id === keyId);
    return own.length > 0 && own.every(({ name }) => name !== 'owner');
  } catch {
    return false;
  }
}
