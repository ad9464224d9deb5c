import type { FleetError } from '../../api/errors';
import type { BinaryItem } from '../../model/binaryItem';
import type { CaptureFilter } from '../../model/captureFilter';
import type { BinaryDataId } from '../../model/ids';
import type { BinaryDataStore } from '../../stores/binaryDataStore';
import type { BulkTarget } from '../bulkTarget';

/** The data of a connection now: what is kept for a retry or an undo outlives a sign-out. */
export type BinaryDataNow = () => BinaryDataStore;

/** Does something to items, to all of them or to none. */
export type DoToItems = (ids: readonly BinaryDataId[]) => Promise<unknown>;

/** What is done to some items, the same to each. */
export interface ActionStep {
  readonly items: readonly BinaryItem[];
  readonly run: DoToItems;
  /** Takes it back; absent for what is done for good. */
  readonly undo?: DoToItems | undefined;
}

/** Something that is done to many items. */
export interface BulkAction {
  /** Whether it depends on what items are like now: then they are read first. */
  readonly isSelective: boolean;
  /** Whether an item that is gone in the meantime is as wanted. */
  readonly isDoneWhenGone: boolean;
  /** What is done to which of the items; those in no step are as wanted already. */
  readonly steps: (items: readonly BinaryItem[]) => readonly ActionStep[];
  /**
   * Does it to all that a filter selects in one call, where the wire can.
   * @throws FleetError also when that was less than `count` items.
   */
  readonly runOnFilter: ((filter: CaptureFilter, count: number) => Promise<unknown>) | undefined;
}

/** What was done, in pieces that can be taken back. */
export interface Undoable {
  readonly ids: readonly BinaryDataId[];
  readonly undo: DoToItems;
}

export interface FailedItem {
  readonly item: BinaryItem;
  readonly error: FleetError;
}

/** What became of an action. */
export interface ActionResult {
  readonly done: number;
  /** Items that were as wanted already. */
  readonly unchanged: number;
  readonly failed: readonly FailedItem[];
  /** Items whose turn had not come when it was canceled or stopped. */
  readonly notStarted: number;
  /** Why it ended early, when nobody canceled it. */
  readonly stopped: FleetError | undefined;
  /** What a further run would work on; nothing when all is done. */
  readonly rest: BulkTarget | undefined;
  /** What takes it back: `forgotten` when that is too much to remember. */
  readonly undo: readonly Undoable[] | 'forgotten';
}
