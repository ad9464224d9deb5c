import type { BinaryItem } from '../model/binaryItem';
import type { CaptureFilter } from '../model/captureFilter';
import type { Placement } from '../model/placement';

/** What a bulk action is about: items one by one, or all that a filter selects. */
export type BulkTarget =
  | { readonly kind: 'items'; readonly items: readonly BinaryItem[] }
  | {
      readonly kind: 'filter';
      readonly filter: CaptureFilter;
      readonly count: number;
      /** Leaves out what appears elsewhere, where the wire cannot say that in a filter. */
      readonly placement?: Placement | undefined;
    };

/** How many items a target has; of a filter, when it was counted. */
export function countOf(target: BulkTarget): number {
  return target.kind === 'items' ? target.items.length : target.count;
}
