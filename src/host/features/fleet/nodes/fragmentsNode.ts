import type { FragmentSummary } from '../../../../core/model/entities';
import { hasRight, rightsOf } from '../../../../core/model/permissions';
import type { OrganizationTarget } from '../../../../core/model/resourceTarget';
import { FragmentNode } from './fragmentNode';
import { HintNode } from './hintNode';
import type { LoadMoreNode } from './loadMoreNode';
import { pagedNodes } from './pagedNodes';
import { contextTokens, type OrganizationScope, startsOpen, type TreeNode } from './treeNode';

/** The fragments of an organization, gathered below one node. */
export class FragmentsNode implements TreeNode {
  readonly kind = 'fragments';
  readonly id: string;
  readonly contextValue: string;

  constructor(
    readonly parent: TreeNode,
    private readonly scope: OrganizationScope,
    /** Its menu creates fragments in the organization. */
    readonly target: OrganizationTarget,
    /** Those that a filter leaves; without one, all. */
    private readonly left?: readonly FragmentSummary[],
  ) {
    this.id = `${scope.nodeId}/fragments`;
    this.contextValue = contextTokens('fragments', ...rightsOf('fragment', scope.granted));
  }

  /** Whether it shows at once what a filter has found in it. */
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
