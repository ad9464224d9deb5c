import { editorMessages } from './editor';
import { queryPanelMessages } from './queryPanel';
import { resultMessages } from './results';

/** Everything that is said between a query panel and its host, part by part. */
export const queryProtocol = {
  ...queryPanelMessages,
  ...editorMessages,
  ...resultMessages,
} as const;

export type QueryProtocol = typeof queryProtocol;
