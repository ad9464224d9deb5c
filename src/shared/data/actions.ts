import { isNothing, isOneOf, isOptional, isShape, isString } from '../guards';
import { command, notification } from '../protocol';
import { isSelectionRef, type SelectionRef } from './items';

/** What can be done with what is selected, in the order in which it is offered. */
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

/** What the bar of a selection says. */
export interface ActionStrings {
  readonly label: string;
  readonly selectedOne: string;
  /** {0} is a number. */
  readonly selected: string;
  /** {0} is a number. */
  readonly selectAll: string;
  readonly clear: string;
  readonly more: string;
  readonly undo: string;
  /** {0} is what was done. */
  readonly undoHint: string;
  readonly readOnly: string;
  readonly actions: Readonly<Record<ItemAction, string>>;
  /** What each does, with its key. */
  readonly hints: Readonly<Record<ItemAction, string>>;
}

/** What a person wants done, and with which items. */
export interface WantedAction {
  readonly action: ItemAction;
  readonly selection: SelectionRef;
}

/** Messages about actions. The host asks what else it needs, and tells what became of it. */
export const actionMessages = {
  act: command(
    isShape<WantedAction>({ action: isOneOf(...itemActions), selection: isSelectionRef }),
  ),
  /** Takes back the last action that can be. */
  undoAction: command(isNothing),
  /** What an undo would take back, in words; nothing when there is nothing. */
  undoable: notification(
    isShape<{ readonly text?: string | undefined }>({ text: isOptional(isString) }),
  ),
} as const;
