import type { BinaryItem } from '../../model/binaryItem';
import type { ActionStep, BinaryDataNow, BulkAction } from './bulkAction';

/** Adds tags to items. An undo removes each tag only from the items that didn't have it before. */
export function addTagsAction(store: BinaryDataNow, tags: readonly string[]): BulkAction {
  return {
    isSelective: true,
    isDoneWhenGone: false,
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
    isDoneWhenGone: true,
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
