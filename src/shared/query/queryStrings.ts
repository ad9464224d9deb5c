import type { QueryFrameStrings } from './queryFrameStrings';
import type { ResultStrings } from './resultStrings';

/** All strings of a query panel, by part. */
export interface QueryStrings {
  readonly frame: QueryFrameStrings;
  readonly results: ResultStrings;
}
