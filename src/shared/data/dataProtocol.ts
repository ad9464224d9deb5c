import { boxMessages } from './boxes';
import { dropMessages } from './drops';
import { filterMessages } from './filterMessages';
import { isSelectionRef, itemMessages } from './items';
import { panelMessages } from './dataPanel';
import { proposalMessages, trialMessages } from './proposals';
import { readingMessages } from './readings';
import { type Guarded, isOneOf, isOptional, isShape, isString, isUndefined } from '../guards';
import { command, notification } from '../protocol';

/** Actions on the selection, in display order. */
export const itemActions = [
  'addTags',
  'removeTags',
  'proposeLabels',
  'addToDataset',
  'removeFromDataset',
  'download',
  'delete',
] as const;
export type ItemAction = (typeof itemActions)[number];

const isRequestedAction = isShape({
  action: isOneOf(...itemActions),
  selection: isSelectionRef,
});
/** An action that the user requests, and the items to which it applies. */
export type RequestedAction = Guarded<typeof isRequestedAction>;

/** Messages about actions. The host prompts for missing input and reports the results. */
export const actionMessages = {
  act: command(isRequestedAction),
  /** Undoes the last action that can be undone. */
  undoAction: command(isUndefined),
  /** Description of the change that an undo would revert; empty if there is nothing to undo. */
  undoable: notification(isShape({ text: isOptional(isString) })),
} as const;

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
