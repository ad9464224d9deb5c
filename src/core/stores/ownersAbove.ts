import type { HeldRole } from '../model/access';
import type { ResourceTarget } from '../model/resourceTarget';
import type { FleetStores } from './fleetStores';
import { idsAbove } from './idsAbove';

/**
 * The addresses of those who may hand out roles on a resource: its owners and those of what it is in.
 * Undefined where the key may not read who that is. Never fails.
 */
export async function ownersAbove(
  stores: FleetStores,
  target: ResourceTarget,
): Promise<readonly string[] | undefined> {
  const { organizationId } = target;
  try {
    const [roles, { members }, above] = await Promise.all([
      stores.roles.list(organizationId),
      stores.members.list(organizationId),
      idsAbove(stores, target),
    ]);
    const isOwner = ({ name, resourceId }: HeldRole): boolean =>
      name === 'owner' && above.has(resourceId);
    const owners = new Set<string>(roles.filter(isOwner).map(({ identity }) => identity.id));
    return members
      .filter(({ id, email }) => owners.has(id) && email !== '')
      .map((one) => one.email);
  } catch {
    // Anyone who may not read the members is told to ask an owner all the same.
    return undefined;
  }
}
