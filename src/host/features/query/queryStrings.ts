import type { QueryStrings } from '../../../shared/query/queryStrings';
import { queryFrameStrings } from './queryFrameStrings';
import { resultStrings } from './resultStrings';

/** Everything the panel says, in the language of VS Code. The webview fills in what is in braces. */
export function queryStrings(): QueryStrings {
  return { frame: queryFrameStrings(), results: resultStrings() };
}
