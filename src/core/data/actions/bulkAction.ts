import { FleetError } from '../../api/errors';
import type { BinaryItem, Placement } from '../../model/binaryItem';
import type { CaptureFilter } from '../../model/captureFilter';
import type { BinaryDataId, DatasetId } from '../../model/ids';
import type { BinaryDataStore } from '../../stores/binaryDataStore';
import { englishLocalizer } from '../../../base/localizer';

/**
 * Returns the current connection's data store. A function, because retries and undo data outlive a
 * sign-out.
 */
type BinaryDataNow = () => BinaryDataStore;

/** Changes either all of the items or none. */
export type DoToItems = (ids: readonly BinaryDataId[]) => Promise<unknown>;

/** Change that is the same for all items in the step. */
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
  readonly isDoneIfDeleted: boolean;
  /**
   * Returns the steps, each with the items to change. Items that aren't in any step need no change.
   */
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

/** Steps that undo an action, in the order of their changes; `discarded` if there were too many. */
export type UndoSteps = readonly Undoable[] | 'discarded';

/** Returns the steps that undo both an action and its retry. */
export function joinUndoSteps(first: UndoSteps, retry: UndoSteps): UndoSteps {
  return first === 'discarded' || retry === 'discarded' ? 'discarded' : [...first, ...retry];
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
  /** Items that were not started when the action was canceled or stopped. */
  readonly notStarted: NotStartedItems;
  /** Error that ended the action early; undefined if the action was canceled or finished. */
  readonly stopped: FleetError | undefined;
  /** Target of a retry; undefined if no items are left. */
  readonly rest: BulkTarget | undefined;
  readonly undo: UndoSteps;
}

/** Target of a bulk action: individual items, or everything that matches a filter. */
export type BulkTarget =
  | { readonly kind: 'items'; readonly items: readonly BinaryItem[] }
  | {
      readonly kind: 'filter';
      readonly filter: CaptureFilter;
      readonly count: number;
      /**
       * Category of the items. Excludes matches in other categories, if the API can't express the
       * category in a filter.
       */
      readonly placement?: Placement | undefined;
    };

/**
 * Returns the number of items in a target; for a filter, the number of matches when they were
 * counted.
 */
export function getItemCount(target: BulkTarget): number {
  return target.kind === 'items' ? target.items.length : target.count;
}

/**
 * Items that were not started; only their number if the target is a filter, because its items are
 * read page by page.
 */
export type NotStartedItems = readonly BinaryItem[] | number;

/** Items that an action has processed, regardless of the outcome. */
export interface ProcessedItems {
  /** Their IDs; can be incomplete if the target is a filter. */
  readonly ids: ReadonlySet<BinaryDataId>;
  readonly count: number;
}

/** Returns the items in a target that an action hasn't processed. */
export function findNotStarted(target: BulkTarget, processed: ProcessedItems): NotStartedItems {
  return target.kind === 'items'
    ? target.items.filter(({ id }) => !processed.ids.has(id))
    : Math.max(0, target.count - processed.count);
}

/** Adds tags to items. An undo removes each tag only from the items that didn't have it before. */
export function addTagsAction(store: BinaryDataNow, tags: readonly string[]): BulkAction {
  return {
    isSelective: true,
    isDoneIfDeleted: false,
    steps: (items) =>
      stepsBy(
        items,
        (item) => tags.filter((tag) => !item.tags.includes(tag)),
        (missing) => ({
          run: (ids) => store().addTags(ids, missing),
          undo: (ids) => store().removeTags(ids, missing),
        }),
      ),
    runOnFilter: (filter) => store().addTagsToAll(filter, tags),
  };
}

/** Removes tags from items. An undo adds each tag back only to the items that had it before. */
export function removeTagsAction(store: BinaryDataNow, tags: readonly string[]): BulkAction {
  return {
    isSelective: true,
    isDoneIfDeleted: true,
    steps: (items) =>
      stepsBy(
        items,
        (item) => tags.filter((tag) => item.tags.includes(tag)),
        (present) => ({
          run: (ids) => store().removeTags(ids, present),
          undo: (ids) => store().addTags(ids, present),
        }),
      ),
    runOnFilter: (filter) => store().removeTagsFromAll(filter, tags),
  };
}

/**
 * Groups the items by the tags to change. Returns one step for each group, and no step for items
 * that need no change.
 */
function stepsBy(
  items: readonly BinaryItem[],
  getTags: (item: BinaryItem) => readonly string[],
  stepFor: (tags: readonly string[]) => Omit<ActionStep, 'items'>,
): readonly ActionStep[] {
  const groups = new Map<string, { tags: readonly string[]; items: BinaryItem[] }>();
  for (const item of items) {
    const tags = getTags(item);
    if (tags.length === 0) continue;
    const key = JSON.stringify(tags);
    const group = groups.get(key) ?? { tags, items: [] };
    groups.set(key, group);
    group.items.push(item);
  }
  return [...groups.values()].map((group) => ({ ...stepFor(group.tags), items: group.items }));
}

/** Adds items to a dataset. An undo removes only the items that were not in the dataset before. */
export function addToDatasetAction(store: BinaryDataNow, dataset: DatasetId): BulkAction {
  return {
    isSelective: true,
    isDoneIfDeleted: false,
    steps: (items) => [
      {
        items: items.filter(({ datasetIds }) => !datasetIds.includes(dataset)),
        run: (ids) => store().addToDataset(dataset, ids),
        undo: (ids) => store().removeFromDataset(dataset, ids),
      },
    ],
    runOnFilter: undefined,
  };
}

/**
 * Removes items from a dataset. An undo adds back only the items that were in the dataset before.
 */
export function removeFromDatasetAction(store: BinaryDataNow, dataset: DatasetId): BulkAction {
  return {
    isSelective: true,
    isDoneIfDeleted: true,
    steps: (items) => [
      {
        items: items.filter(({ datasetIds }) => datasetIds.includes(dataset)),
        run: (ids) => store().removeFromDataset(dataset, ids),
        undo: (ids) => store().addToDataset(dataset, ids),
      },
    ],
    runOnFilter: undefined,
  };
}

/** Deletes items permanently. */
export function deleteAction(store: BinaryDataNow, l10n = englishLocalizer): BulkAction {
  return {
    isSelective: false,
    isDoneIfDeleted: true,
    steps: (items) => [{ items, run: (ids) => store().delete(ids) }],
    runOnFilter: async (filter, count) => {
      const deleted = await store().deleteAll(filter);
      if (deleted < count) {
        throw new FleetError('conflict', l10n.t("Some items couldn't be deleted."));
      }
    },
  };
}
