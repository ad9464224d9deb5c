import { hasRight, rightsOf } from '../../../../core/model/permissions';
import type { OrganizationTarget } from '../../../../core/model/resourceTarget';
import { FragmentNode } from './fragmentNode';
import { HintNode } from './hintNode';
import type { LoadMoreNode } from './loadMoreNode';
import { pagedNodes } from './pagedNodes';
import { contextTokens, type OrganizationScope, type TreeNode } from './treeNode';

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
  ) {
    this.id = `${scope.nodeId}/fragments`;
    this.contextValue = contextTokens('fragments', ...rightsOf('fragment', scope.granted));
  }

  async children(): Promise<readonly (FragmentNode | HintNode | LoadMoreNode)[]> {
    const fragments = await this.scope.context.stores.fragments.list(this.scope.organizationId);
    if (fragments.length === 0) {
      const mayCreate = hasRight('fragment', this.scope.granted, 'administer');
      return [new HintNode(this, 'noFragments', mayCreate)];
    }
    return pagedNodes(
      this,
      this.scope.context,
      fragments,
      (fragment) => new FragmentNode(this, this.scope, fragment),
    );
  }
}
