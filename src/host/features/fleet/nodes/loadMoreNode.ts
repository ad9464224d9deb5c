import { contextTokens, type TreeNode } from './treeNode';

/**
 * Last node of a long list, which shows the list's next page. The rest of the list is already
 * loaded.
 */
export class LoadMoreNode implements TreeNode {
  readonly kind = 'loadMore';
  readonly id: string;
  readonly contextValue = contextTokens('loadMore');

  constructor(
    readonly parent: TreeNode,
    readonly shown: number,
    readonly total: number,
  ) {
    this.id = `${parent.id}/loadMore`;
  }
}
