import type { QueryFrameStrings } from './queryFrameStrings';
import type { ResultStrings } from './resultStrings';

/** All strings for a query panel, grouped by the parts of the panel. */
export interface QueryStrings {
  readonly frame: QueryFrameStrings;
  readonly results: ResultStrings;
}
