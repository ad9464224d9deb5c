import type { QueryFrameStrings } from './queryFrameStrings';
import type { ResultStrings } from './resultStrings';

/** The words of a query panel, part by part. */
export interface QueryStrings {
  readonly frame: QueryFrameStrings;
  readonly results: ResultStrings;
}
