import type { FleetError } from '../../api/errors';
import { type BoxContent, isSameContent } from './boxContent';

/** Box on the service. */
export interface StoredBox {
  readonly id: string;
  readonly content: BoxContent;
}

/** Reason why a user's change is not saved. */
export type BoxProblem =
  | { readonly kind: 'refused'; readonly error: FleetError }
  /** The editor exited before the change was complete. */
  | { readonly kind: 'interrupted' };

/**
 * Box with an identity that survives changes, although each change assigns a new ID on the service.
 */
export interface TrackedBox {
  readonly key: string;
  /** Content that the user wants; undefined if the box is deleted. */
  wanted: BoxContent | undefined;
  /**
   * Stored versions of the box, oldest first. Usually there is one version, but there are two while
   * a change is incomplete.
   */
  stored: readonly StoredBox[];
  /**
   * Set when a call got no response. The state on the service is then unknown and might include the
   * added box.
   */
  uncertain?: { readonly added?: BoxContent } | undefined;
  problem?: BoxProblem | undefined;
}

/** Returns the stored box that matches the user's state. */
export function rightOne({ wanted, stored }: TrackedBox): StoredBox | undefined {
  return wanted && stored.find(({ content }) => isSameContent(content, wanted));
}

/** Returns true if the service has exactly the user's state of the box. */
export function isStored(box: TrackedBox): boolean {
  return box.stored.length === (box.wanted ? 1 : 0) && (!box.wanted || rightOne(box) !== undefined);
}
