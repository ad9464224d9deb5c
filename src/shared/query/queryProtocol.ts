import { editorMessages } from './editor';
import { queryPanelMessages } from './queryPanel';
import { resultMessages } from './results';

/** All messages between a query panel and its host, grouped by the parts of the panel. */
export const queryProtocol = {
  ...queryPanelMessages,
  ...editorMessages,
  ...resultMessages,
} as const;

export type QueryProtocol = typeof queryProtocol;
