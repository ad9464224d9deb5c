import type { FleetError } from '../../api/errors';
import type { BinaryItem } from '../../model/binaryItem';
import type { CaptureFilter } from '../../model/captureFilter';
import type { BinaryDataId } from '../../model/ids';
import type { BinaryDataStore } from '../../stores/binaryDataStore';
import type { BulkTarget } from '../bulkTarget';

/**
 * Returns the data store of the current connection, because retries and undo data outlive a
 * sign-out.
 */
export type BinaryDataNow = () => BinaryDataStore;

/** Changes either all of the items or none. */
export type DoToItems = (ids: readonly BinaryDataId[]) => Promise<unknown>;

/** Change that is the same for all items of the step. */
export interface ActionStep {
  readonly items: readonly BinaryItem[];
  readonly run: DoToItems;
  /** Undoes the change; absent if it can't be undone. */
  readonly undo?: DoToItems | undefined;
}

/** Action on many items. */
export interface BulkAction {
  /**
   * True if the action depends on the current state of the items, so that they must be read first.
   */
  readonly isSelective: boolean;
  /** True if an item that has already been deleted counts as done. */
  readonly isDoneWhenGone: boolean;
  /** Returns the changes with their items. Items that aren't in any step need no change. */
  readonly steps: (items: readonly BinaryItem[]) => readonly ActionStep[];
  /**
   * Changes everything that matches a filter in one call; undefined if the API doesn't support
   * that.
   * @throws FleetError, including when the call changed fewer than `count` items.
   */
  readonly runOnFilter: ((filter: CaptureFilter, count: number) => Promise<unknown>) | undefined;
}

/** Part of an action that can be undone separately. */
export interface Undoable {
  readonly ids: readonly BinaryDataId[];
  readonly undo: DoToItems;
}

export interface FailedItem {
  readonly item: BinaryItem;
  readonly error: FleetError;
}

/** Result of an action. */
export interface ActionResult {
  readonly done: number;
  /** Number of items that needed no change. */
  readonly unchanged: number;
  readonly failed: readonly FailedItem[];
  /** Number of items that were not started when the action was canceled or stopped. */
  readonly notStarted: number;
  /** Error that ended the action early; undefined if the action was canceled or finished. */
  readonly stopped: FleetError | undefined;
  /** Target of a retry; undefined if no items are left. */
  readonly rest: BulkTarget | undefined;
  /** Steps to undo the action; `forgotten` if there were too many to store. */
  readonly undo: readonly Undoable[] | 'forgotten';
}
