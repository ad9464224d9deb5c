import { requireWritable } from '../api/readOnly';
import type { Role } from '../model/access';
import { hasRight, type Right, roleNeededFor } from '../model/permissions';
import type { ResourceTarget } from '../model/resourceTarget';
import type { FleetStores } from './fleetStores';

/**
 * Returns the role that the API key needs for a change of a resource and doesn't have; undefined if it
 * has the right.
 * Commands and tools for agents decide with this function whether the key can make a change.
 *
 * @param isChange true if the connection must allow changes
 * @throws ReadOnlyConnectionError if the connection is read-only
 */
export async function findMissingRole(
  stores: FleetStores,
  target: ResourceTarget,
  right: Right,
  isChange: boolean,
): Promise<Role | undefined> {
  if (isChange) requireWritable(stores.access.readOnlyConnection, stores.l10n);
  const granted = await stores.access.getPermissionsFor(target);
  return hasRight(target.kind, granted, right) ? undefined : roleNeededFor(target, right);
}
