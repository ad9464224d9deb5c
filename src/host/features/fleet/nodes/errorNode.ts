import type { FleetError } from '../../../../core/api/errors';
import { contextTokens, type TreeNode } from './treeNode';

/** Stands where a list could not be read, and offers what can be done about it. */
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
