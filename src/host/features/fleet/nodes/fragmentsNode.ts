import type { FragmentSummary } from '../../../../core/model/entities';
import { hasRight, getRights } from '../../../../core/model/permissions';
import type { OrganizationTarget } from '../../../../core/model/resourceTarget';
import { FragmentNode } from './fragmentNode';
import { HintNode } from './hintNode';
import type { LoadMoreNode } from './loadMoreNode';
import { pagedNodes } from './pagedNodes';
import { contextTokens, type OrganizationScope, startsOpen, type TreeNode } from './treeNode';

/** Node with the fragments of an organization. */
export class FragmentsNode implements TreeNode {
  readonly kind = 'fragments';
  readonly id: string;
  readonly contextValue: string;

  constructor(
    readonly parent: TreeNode,
    private readonly scope: OrganizationScope,
    /** Target for the node's menu, which creates fragments in the organization. */
    readonly target: OrganizationTarget,
    /** Matches of a filter; all fragments if absent. */
    private readonly left?: readonly FragmentSummary[],
  ) {
    this.id = `${scope.nodeId}/fragments`;
    this.contextValue = contextTokens('fragments', ...getRights('fragment', scope.granted));
  }

  /** True if it's initially expanded to show matches of a filter. */
  get startsOpen(): boolean {
    return startsOpen(this.scope);
  }

  async children(): Promise<readonly (FragmentNode | HintNode | LoadMoreNode)[]> {
    const { context, organizationId } = this.scope;
    const fragments = this.left ?? (await context.stores.fragments.list(organizationId));
    if (fragments.length === 0) {
      const mayCreate = hasRight('fragment', this.scope.granted, 'administer');
      return [new HintNode(this, 'noFragments', mayCreate)];
    }
    return pagedNodes(
      this,
      context,
      fragments,
      (fragment) => new FragmentNode(this, this.scope, fragment),
    );
  }
}
