import { hasRight, getRights } from '../../../../core/model/permissions';
import {
  isFilteringRegistry,
  matchesRegistryFilter,
  type RegistryFilter,
} from '../../../../core/model/registryFilter';
import type { RegistryItem } from '../../../../core/model/registryItem';
import type { OrganizationTarget } from '../../../../core/model/resourceTarget';
import { HintNode } from './hintNode';
import type { LoadMoreNode } from './loadMoreNode';
import { pagedNodes } from './pagedNodes';
import { RegistryItemNode } from './registryItemNode';
import { contextTokens, type OrganizationScope, startsOpen, type TreeNode } from './treeNode';

/** Node with the modules of an organization, or with its other registry items. */
export class RegistryFolderNode implements TreeNode {
  readonly id: string;
  readonly contextValue: string;

  constructor(
    readonly kind: 'modules' | 'otherItems',
    readonly parent: TreeNode,
    private readonly scope: OrganizationScope,
    /** Target for the node's menu, which creates items in the organization. */
    readonly target: OrganizationTarget,
    /** Matches of the fleet filter; all items if absent. */
    private readonly left?: readonly RegistryItem[],
  ) {
    this.id = `${scope.nodeId}/${kind}`;
    this.contextValue = contextTokens(kind, ...getRights('registryItem', scope.granted));
  }

  /** True if it's initially expanded to show matches of a filter. */
  get startsOpen(): boolean {
    return startsOpen(this.scope);
  }

  /** Filter of the registry; undefined if all items are shown. */
  get filter(): RegistryFilter | undefined {
    const { registry } = this.scope.context.arrangement;
    return isFilteringRegistry(registry) ? registry : undefined;
  }

  async children(): Promise<readonly (RegistryItemNode | HintNode | LoadMoreNode)[]> {
    const { context, granted } = this.scope;
    const all = (this.left ?? (await this.read())).filter((item) => isIn(this.kind, item));
    const items = all.filter((item) => matchesRegistryFilter(item, context.arrangement.registry));
    if (items.length > 0) {
      return pagedNodes(this, context, items, (item) => this.createNode(item));
    }
    if (all.length > 0) return [new HintNode(this, 'noItemMatches')];
    const mayCreate = hasRight('registryItem', granted, 'administer');
    return [new HintNode(this, this.kind === 'modules' ? 'noModules' : 'noOtherItems', mayCreate)];
  }

  private createNode(item: RegistryItem): RegistryItemNode {
    return new RegistryItemNode(this, this.scope, item);
  }

  private read(): Promise<readonly RegistryItem[]> {
    const { context, organizationId } = this.scope;
    return context.stores.registry.list(organizationId);
  }
}

/** Returns true if an item belongs to this folder. */
export function isIn(folder: RegistryFolderNode['kind'], { type }: RegistryItem): boolean {
  return (type === 'module') === (folder === 'modules');
}
