import { type Granted, getRights } from '../../../../core/model/permissions';
import type { RegistryItem } from '../../../../core/model/registryItem';
import { registryItemTarget } from '../../../../core/model/registryItemTarget';
import type { RegistryItemTarget } from '../../../../core/model/resourceTarget';
import { HintNode } from './hintNode';
import type { LoadMoreNode } from './loadMoreNode';
import { ModuleModelsNode } from './moduleModelsNode';
import { pagedNodes } from './pagedNodes';
import { RegistryVersionNode } from './registryVersionNode';
import { contextTokens, type OrganizationScope, type TreeNode } from './treeNode';

/** Node of a module, model, training script, or other package; a click opens its page. */
export class RegistryItemNode implements TreeNode {
  readonly kind = 'registryItem';
  readonly id: string;
  readonly contextValue: string;
  readonly target: RegistryItemTarget;
  readonly granted: Granted;

  constructor(
    readonly parent: TreeNode,
    private readonly scope: OrganizationScope,
    readonly item: RegistryItem,
  ) {
    this.id = `${scope.nodeId}/registryItem/${item.id}`;
    this.granted = scope.granted;
    this.contextValue = contextTokens(
      'registryItem',
      item.type,
      item.visibility,
      item.status === 'inDevelopment' && 'inDevelopment',
      item.versions.length > 0 && 'versioned',
      ...getRights('registryItem', scope.granted),
    );
    this.target = registryItemTarget(scope.context.connection.id, item);
  }

  /** Returns a module's models, followed by its versions, newest first. */
  async children(): Promise<
    readonly (ModuleModelsNode | RegistryVersionNode | HintNode | LoadMoreNode)[]
  > {
    const item = await this.whole();
    const models = item.models.length > 0 ? [new ModuleModelsNode(this, this.scope, item)] : [];
    if (item.versions.length === 0) return [...models, new HintNode(this, 'noVersions', false)];
    const versions = pagedNodes(
      this,
      this.scope.context,
      item.versions,
      (version) => new RegistryVersionNode(this, this.scope, this.target, version),
    );
    return [...models, ...versions];
  }

  /** Returns the complete item, including the fields that a brief list omits. */
  private whole(): RegistryItem | Promise<RegistryItem> {
    return this.item.isBrief ? this.scope.context.stores.registry.get(this.item.id) : this.item;
  }
}
