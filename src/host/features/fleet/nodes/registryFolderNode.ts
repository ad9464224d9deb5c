import { hasRight, rightsOf } from '../../../../core/model/permissions';
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

/** The modules of an organization, or its other registry items, gathered below one node. */
export class RegistryFolderNode implements TreeNode {
  readonly id: string;
  readonly contextValue: string;

  constructor(
    readonly kind: 'modules' | 'otherItems',
    readonly parent: TreeNode,
    private readonly scope: OrganizationScope,
    /** Its menu makes items in the organization. */
    readonly target: OrganizationTarget,
    /** Those that the filter of the fleet leaves; without one, all. */
    private readonly left?: readonly RegistryItem[],
  ) {
    this.id = `${scope.nodeId}/${kind}`;
    this.contextValue = contextTokens(kind, ...rightsOf('registryItem', scope.granted));
  }

  /** Whether it shows at once what a filter has found in it. */
  get startsOpen(): boolean {
    return startsOpen(this.scope);
  }

  /** What of the registry is shown, when that is not all of it. */
  get filter(): RegistryFilter | undefined {
    const { registry } = this.scope.context.arrangement;
    return isFilteringRegistry(registry) ? registry : undefined;
  }

  async children(): Promise<readonly (RegistryItemNode | HintNode | LoadMoreNode)[]> {
    const { context, granted } = this.scope;
    const all = (this.left ?? (await this.read())).filter((item) => isIn(this.kind, item));
    const items = all.filter((item) => matchesRegistryFilter(item, context.arrangement.registry));
    if (items.length > 0) {
      return pagedNodes(this, context, items, (item) => this.nodeOf(item));
    }
    if (all.length > 0) return [new HintNode(this, 'noItemMatches')];
    const mayCreate = hasRight('registryItem', granted, 'administer');
    return [new HintNode(this, this.kind === 'modules' ? 'noModules' : 'noOtherItems', mayCreate)];
  }

  private nodeOf(item: RegistryItem): RegistryItemNode {
    return new RegistryItemNode(this, this.scope, item);
  }

  private read(): Promise<readonly RegistryItem[]> {
    const { context, organizationId } = this.scope;
    return context.stores.registry.list(organizationId);
  }
}

/** Whether an item stands below a folder. */
export function isIn(folder: RegistryFolderNode['kind'], { type }: RegistryItem): boolean {
  return (type === 'module') === (folder === 'modules');
}
