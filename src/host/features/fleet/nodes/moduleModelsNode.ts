import type { RegistryItem } from '../../../../core/model/registryItem';
import type { LoadMoreNode } from './loadMoreNode';
import { ModuleModelNode } from './moduleModelNode';
import { pagedNodes } from './pagedNodes';
import { contextTokens, type OrganizationScope, type TreeNode } from './treeNode';

/** Node with the models of a module. */
export class ModuleModelsNode implements TreeNode {
  readonly kind = 'moduleModels';
  readonly id: string;
  readonly contextValue = contextTokens('moduleModels');

  constructor(
    readonly parent: TreeNode,
    private readonly scope: OrganizationScope,
    readonly item: RegistryItem,
  ) {
    this.id = `${parent.id}/models`;
  }

  children(): Promise<readonly (ModuleModelNode | LoadMoreNode)[]> {
    const numbered = this.item.models.map((model, index) => ({ model, index }));
    const nodes = pagedNodes(
      this,
      this.scope.context,
      numbered,
      ({ model, index }) => new ModuleModelNode(this, model, index),
    );
    return Promise.resolve(nodes);
  }
}
