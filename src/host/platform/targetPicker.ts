import type { ConnectionId } from '../../core/model/ids';
import type { ResourceKind, ResourceTarget } from '../../core/model/resourceTarget';

/** All kinds of resources, for prompts that take any of them. */
export const RESOURCE_KINDS: readonly ResourceKind[] = [
  'organization',
  'location',
  'machine',
  'part',
  'fragment',
  'dataset',
  'registryItem',
];

/** Target of a resource of one kind. */
export type TargetOfKind<K extends ResourceKind> = Extract<ResourceTarget, { readonly kind: K }>;

/**
 * Asks the person for a resource of a connection, the active one unless another is named, for commands
 * that were called without one. Throws `canceled` when they leave, and `unauthenticated` without a
 * connection.
 * @param kind the kind of the resource, or several kinds to choose from.
 */
export type PickTarget = <K extends ResourceKind>(
  kind: K | readonly K[],
  connection?: ConnectionId,
) => Promise<TargetOfKind<K>>;
