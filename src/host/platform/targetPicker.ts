import type { ConnectionId } from '../../core/model/ids';
import type { ResourceKind, ResourceTarget } from '../../core/model/resourceTarget';

/** What stands for a resource of one kind. */
export type TargetOf<K extends ResourceKind> = Extract<ResourceTarget, { readonly kind: K }>;

/**
 * Asks the person for a resource of a connection, the active one unless another is named, for commands
 * that were called without one. Throws `canceled` when they leave, and `unauthenticated` without a
 * connection.
 */
export type PickTarget = <K extends ResourceKind>(
  kind: K,
  connection?: ConnectionId,
) => Promise<TargetOf<K>>;
