import { LoadMoreNode } from './loadMoreNode';
import type { FleetContext, TreeNode } from './treeNode';

/**
 * Returns the displayed children of a long list, followed by a "Load more" node if there are more.
 */
export function pagedNodes<T, N extends TreeNode>(
  parent: TreeNode,
  { shownCount }: FleetContext,
  items: readonly T[],
  toNode: (item: T) => N,
): readonly (N | LoadMoreNode)[] {
  const shown = shownCount(parent.id);
  const nodes = items.slice(0, shown).map(toNode);
  return items.length <= shown ? nodes : [...nodes, new LoadMoreNode(parent, shown, items.length)];
}
