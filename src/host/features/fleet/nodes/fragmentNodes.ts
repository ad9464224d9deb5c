import type { FragmentSummary } from '../../../../core/model/entities';
import { getRights, type Granted, hasRight } from '../../../../core/model/permissions';
import type { FragmentTarget, OrganizationTarget } from '../../../../core/model/resourceTarget';
import { HintNode, type LoadMoreNode, pagedNodes } from './listNodes';
import { contextTokens, type OrganizationScope, startsOpen, type TreeNode } from './treeNode';

/** Node with an organization's fragments. */
export class FragmentsNode implements TreeNode {
  readonly kind = 'fragments';
  readonly id: string;
  readonly contextValue: string;

  constructor(
    readonly parent: TreeNode,
    private readonly scope: OrganizationScope,
    /** Target for the node's menu, which creates fragments in the organization. */
    readonly target: OrganizationTarget,
    /** Fragments that match a filter; all fragments if absent. */
    private readonly left?: readonly FragmentSummary[],
  ) {
    this.id = `${scope.nodeId}/fragments`;
    this.contextValue = contextTokens('fragments', ...getRights('fragment', scope.granted));
  }

  /** True if it's initially expanded to show a filter's matches. */
  get startsOpen(): boolean {
    return startsOpen(this.scope);
  }

  async children(): Promise<readonly (FragmentNode | HintNode | LoadMoreNode)[]> {
    const { context, organizationId } = this.scope;
    const fragments = this.left ?? (await context.stores.fragments.list(organizationId));
    if (fragments.length === 0) {
      const canCreate = hasRight('fragment', this.scope.granted, 'administer');
      return [new HintNode(this, 'noFragments', canCreate)];
    }
    return pagedNodes(
      this,
      context,
      fragments,
      (fragment) => new FragmentNode(this, this.scope, fragment),
    );
  }
}

/** Fragment node; a click opens its config. */
export class FragmentNode implements TreeNode {
  readonly kind = 'fragment';
  readonly id: string;
  readonly contextValue: string;
  readonly target: FragmentTarget;
  readonly granted: Granted;

  constructor(
    readonly parent: TreeNode,
    scope: OrganizationScope,
    readonly fragment: FragmentSummary,
  ) {
    this.id = `${scope.nodeId}/fragment/${fragment.id}`;
    this.granted = scope.granted;
    this.contextValue = contextTokens(
      'fragment',
      fragment.visibility,
      ...getRights('fragment', scope.granted),
    );
    this.target = {
      kind: 'fragment',
      connectionId: scope.context.connection.id,
      organizationId: fragment.organizationId,
      fragmentId: fragment.id,
      name: fragment.name,
    };
  }
}
