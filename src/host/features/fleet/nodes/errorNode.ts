import type { FleetError } from '../../../../core/api/errors';
import { contextTokens, type TreeNode } from './treeNode';

/** Node that replaces a list that couldn't be read, and offers a recovery action. */
export class ErrorNode implements TreeNode {
  readonly kind = 'error';
  readonly id: string;
  readonly contextValue: string;

  constructor(
    readonly parent: TreeNode | undefined,
    readonly error: FleetError,
  ) {
    this.id = `${parent?.id ?? ''}/error`;
    this.contextValue = contextTokens('error', error.action ?? 'retry');
  }
}
