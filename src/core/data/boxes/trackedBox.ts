import type { FleetError } from '../../api/errors';
import { type BoxContent, isSameContent } from './boxContent';

/** A box that the service has. */
export interface StoredBox {
  readonly id: string;
  readonly content: BoxContent;
}

/** Why a box is not stored as a person wants it. */
export type BoxProblem =
  | { readonly kind: 'refused'; readonly error: FleetError }
  /** An earlier life of the editor ended before the change was through. */
  | { readonly kind: 'interrupted' };

/** A box that stays itself through its changes, although each of them gives it another id. */
export interface TrackedBox {
  readonly key: string;
  /** What a person wants; undefined when it is deleted. */
  wanted: BoxContent | undefined;
  /** What the service has of it, the oldest first: usually one, and two while a change is half done. */
  stored: readonly StoredBox[];
  /** A call of it got no answer: what the service has is not known, and may be what was to be added. */
  doubt?: { readonly added?: BoxContent } | undefined;
  problem?: BoxProblem | undefined;
}

/** The stored box that is what a person wants. */
export function rightOne({ wanted, stored }: TrackedBox): StoredBox | undefined {
  return wanted && stored.find(({ content }) => isSameContent(content, wanted));
}

/** Whether the service has what a person wants, and nothing besides. */
export function isStored(box: TrackedBox): boolean {
  return box.stored.length === (box.wanted ? 1 : 0) && (!box.wanted || rightOne(box) !== undefined);
}
