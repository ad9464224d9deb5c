import type { BinaryItem } from '../model/binaryItem';
import type { CaptureFilter } from '../model/captureFilter';
import type { Placement } from '../model/placement';

/** Target of a bulk action: individual items, or everything that matches a filter. */
export type BulkTarget =
  | { readonly kind: 'items'; readonly items: readonly BinaryItem[] }
  | {
      readonly kind: 'filter';
      readonly filter: CaptureFilter;
      readonly count: number;
      /**
       * Category of the items. Excludes matches in other categories, if the API can't express the
       * category in a filter.
       */
      readonly placement?: Placement | undefined;
    };

/**
 * Returns the number of items in a target; for a filter, the number of matches when they were
 * counted.
 */
export function getItemCount(target: BulkTarget): number {
  return target.kind === 'items' ? target.items.length : target.count;
}
