import { hasRight, type Right, rolePlaceOf } from '../../../core/model/permissions';
import type { ResourceTarget } from '../../../core/model/resourceTarget';
import { refusalText } from '../../platform/permissionText';
import { requireRight } from '../../platform/requireRight';
import type { BulkTools, FittingTargets } from './bulkTools';
import { targetText } from './targetText';

/**
 * The targets that the key has a right on, and a word about the others. One call asks for all.
 * @throws PermissionRefusal when there is none, which says what is missing and whom to ask.
 */
export async function withRight<T extends ResourceTarget>(
  { sessions }: BulkTools,
  targets: readonly T[],
  right: Right,
): Promise<FittingTargets<T>> {
  const [first] = targets;
  if (!first) return { fitting: [], skipped: [] };
  // One tree shows one connection.
  const stores = sessions.stores(first.connectionId);
  const granted = await stores.access.mayOn(targets.map(rolePlaceOf));
  const isAllowed = (target: T, index: number): boolean => {
    const here = granted[index];
    return here !== undefined && hasRight(target.kind, here, right);
  };
  const fitting = targets.filter(isAllowed);
  if (fitting.length === 0) await requireRight(stores, first, right);
  const refused = targets.filter((target, index) => !isAllowed(target, index));
  return {
    fitting,
    skipped: refused.map((target) => {
      const name = targetText(target);
      return { name, reason: refusalText(right, name) };
    }),
  };
}
