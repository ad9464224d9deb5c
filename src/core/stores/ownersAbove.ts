import type { AssignedRole } from '../model/access';
import type { ResourceTarget } from '../model/resourceTarget';
import type { FleetStores } from './fleetStores';
import { idsAbove } from './idsAbove';

/**
 * Returns the email addresses of the users who can grant roles on a resource: the owners of the
 * resource and of its parents. Returns undefined if the API key doesn't have permission to read
 * them. Never throws.
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
    const isOwner = ({ name, resourceId }: AssignedRole): boolean =>
      name === 'owner' && above.has(resourceId);
    const owners = new Set<string>(roles.filter(isOwner).map(({ identity }) => identity.id));
    return members
      .filter(({ id, email }) => owners.has(id) && email !== '')
      .map((one) => one.email);
  } catch {
    // If the members can't be read, the message still advises the user to contact an owner.
    return undefined;
  }
}
