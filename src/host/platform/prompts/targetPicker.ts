import type { ConnectionId } from '../../../core/model/ids';
import type { ResourceKind, ResourceTarget } from '../../../core/model/resourceTarget';

/** Target of a resource of one kind. */
export type TargetOfKind<K extends ResourceKind> = Extract<ResourceTarget, { readonly kind: K }>;

/**
 * Prompts for a resource in a connection, by default the active one. Used by commands that are
 * called without a target. Throws `canceled` if the user dismisses the prompt, and
 * `unauthenticated` if there is no connection.
 * @param kind one kind of resource, or multiple kinds to choose from.
 */
export type PickTarget = <K extends ResourceKind>(
  kind: K | readonly K[],
  connection?: ConnectionId,
) => Promise<TargetOfKind<K>>;
