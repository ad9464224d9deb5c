import type { BinaryItem } from '../model/binaryItem';
import type { CaptureFilter } from '../model/captureFilter';

/** What a bulk action is about: items one by one, or all that a filter selects. */
export type BulkTarget =
  | { readonly kind: 'items'; readonly items: readonly BinaryItem[] }
  | { readonly kind: 'filter'; readonly filter: CaptureFilter; readonly count: number };
