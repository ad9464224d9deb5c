import { actionMessages } from './actions';
import { boxMessages } from './boxes';
import { dropMessages } from './drops';
import { filterMessages } from './filterMessages';
import { itemMessages } from './items';
import { panelMessages } from './dataPanel';
import { proposalMessages } from './proposals';
import { readingMessages } from './readings';
import { trialMessages } from './trials';

/** All messages between a data panel and its host, grouped by panel part. */
export const dataProtocol = {
  ...panelMessages,
  ...filterMessages,
  ...itemMessages,
  ...boxMessages,
  ...readingMessages,
  ...dropMessages,
  ...actionMessages,
  ...trialMessages,
  ...proposalMessages,
} as const;

export type DataProtocol = typeof dataProtocol;
