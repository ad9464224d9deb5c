import type { ModuleModel } from '../../../../core/model/registryItem';
import { contextTokens, type TreeNode } from './treeNode';

/** A kind of resource that a module can make. */
export class ModuleModelNode implements TreeNode {
  readonly kind = 'moduleModel';
  readonly id: string;
  readonly contextValue = contextTokens('moduleModel');

  constructor(
    readonly parent: TreeNode,
    readonly model: ModuleModel,
    /** Its place: a model may stand twice, for two APIs. */
    index: number,
  ) {
    this.id = `${parent.id}/${index}/${model.model}`;
  }
}
