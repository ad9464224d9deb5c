import { hasRight, type Right, toRoleScope } from '../../../core/model/permissions';
import type { ResourceTarget } from '../../../core/model/resourceTarget';
import { describeMissingRight } from '../../platform/permissionText';
import { requireRight } from '../../platform/requireRight';
import type { BulkTools, FittingTargets } from './bulkTools';
import { formatTarget } from './formatTarget';

/**
 * Returns the targets on which the API key has a right, and report entries for the others. Makes
 * one call.
 * @throws PermissionRefusal if no targets remain, with the missing right and the users to contact.
 */
export async function withRight<T extends ResourceTarget>(
  { sessions }: BulkTools,
  targets: readonly T[],
  right: Right,
): Promise<FittingTargets<T>> {
  const [first] = targets;
  if (!first) return { fitting: [], skipped: [] };
  // A tree shows only one connection, so the first target determines the connection.
  const stores = sessions.stores(first.connectionId);
  const granted = await stores.access.mayOn(targets.map(toRoleScope));
  const isAllowed = (target: T, index: number): boolean => {
    const here = granted[index];
    return here !== undefined && hasRight(target.kind, here, right);
  };
  const fitting = targets.filter(isAllowed);
  if (fitting.length === 0) await requireRight(stores, first, right);
  const denied = targets.filter((target, index) => !isAllowed(target, index));
  return {
    fitting,
    skipped: denied.map((target) => {
      const name = formatTarget(target);
      return { name, reason: describeMissingRight(right, name) };
    }),
  };
}
