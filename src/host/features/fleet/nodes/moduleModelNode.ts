import type { ModuleModel } from '../../../../core/model/registryItem';
import { contextTokens, type TreeNode } from './treeNode';

/** Node of a resource model that a module implements. */
export class ModuleModelNode implements TreeNode {
  readonly kind = 'moduleModel';
  readonly id: string;
  readonly contextValue = contextTokens('moduleModel');

  constructor(
    readonly parent: TreeNode,
    readonly model: ModuleModel,
    /** Index of the model. A module can list the same model twice, for two APIs. */
    index: number,
  ) {
    this.id = `${parent.id}/${index}/${model.model}`;
  }
}
