import type { Right } from '../../../core/model/permissions';
import type { ResourceKind, ResourceTarget } from '../../../core/model/resourceTarget';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { requireRight } from '../../platform/requireRight';
import type { SessionProvider } from '../../platform/sessionProvider';
import type { PickTarget, TargetOf } from '../../platform/targetPicker';

/** What the commands on resources work with. */
export interface ResourceTools {
  readonly sessions: SessionProvider;
  readonly pickTarget: PickTarget;
  /** Shows a resource in the tree. */
  readonly reveal: (target: ResourceTarget) => Promise<void>;
}

/**
 * The resource a command acts on, asked for when it was called without one, and its stores. With a
 * `right` it throws `permission` where the key lacks it, before the command asks anything further.
 */
export async function resolveTarget<K extends ResourceKind>(
  { sessions, pickTarget }: ResourceTools,
  kind: K,
  given: TargetOf<K> | undefined,
  right?: Right,
): Promise<{ readonly target: TargetOf<K>; readonly stores: FleetStores }> {
  const target = given ?? (await pickTarget(kind));
  const stores = sessions.stores(target.connectionId);
  if (right) await requireRight(stores, target, right);
  return { target, stores };
}

/** The names of resources, for telling whether one is taken. */
export function namesOf(items: readonly { readonly name: string }[]): readonly string[] {
  return items.map(({ name }) => name);
}
