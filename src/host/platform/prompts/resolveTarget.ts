import type { Right } from '../../../core/model/permissions';
import type { ResourceKind } from '../../../core/model/resourceTarget';
import type { FleetStores } from '../../../core/stores/fleetStores';
import type { FleetTools } from '../fleetTools';
import { requireRight } from '../permissions/requireRight';
import type { TargetOfKind } from './targetPicker';

/**
 * Returns the resource from a command's target and its stores. Prompts for a resource if there is
 * no target. If `right` is specified, checks it before any other prompt and throws `permission` if
 * the key doesn't have it.
 */
export async function resolveTarget<K extends ResourceKind>(
  { sessions, pickTarget }: Pick<FleetTools, 'sessions' | 'pickTarget'>,
  kind: K,
  requestedTarget: TargetOfKind<K> | undefined,
  right?: Right,
): Promise<{ readonly target: TargetOfKind<K>; readonly stores: FleetStores }> {
  const target = requestedTarget ?? (await pickTarget(kind));
  const stores = sessions.stores(target.connectionId);
  if (right) await requireRight(stores, target, right);
  return { target, stores };
}
