import { contextTokens, type TreeNode } from './treeNode';

/** Ends a long list and shows its next page; the rest of the list is already loaded. */
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
