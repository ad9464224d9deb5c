import type { BinaryItem } from '../model/binaryItem';
import type { CaptureFilter } from '../model/captureFilter';
import type { Placement } from '../model/placement';

/** Target of a bulk action: single items, or everything that matches a filter. */
export type BulkTarget =
  | { readonly kind: 'items'; readonly items: readonly BinaryItem[] }
  | {
      readonly kind: 'filter';
      readonly filter: CaptureFilter;
      readonly count: number;
      /**
       * Excludes items that appear in another category, if the wire can't express that in a filter.
       */
      readonly placement?: Placement | undefined;
    };

/** Returns the number of items of a target; for a filter, the number when it was counted. */
export function getItemCount(target: BulkTarget): number {
  return target.kind === 'items' ? target.items.length : target.count;
}
