import type { QueryStrings } from '../../../shared/query/queryStrings';
import { queryFrameStrings } from './queryFrameStrings';
import { resultStrings } from './resultStrings';

/** Returns the localized strings of the panel. The webview fills in the placeholders. */
export function queryStrings(): QueryStrings {
  return { frame: queryFrameStrings(), results: resultStrings() };
}
