import type { FragmentSummary } from '../../../../core/model/entities';
import { type Granted, getRights } from '../../../../core/model/permissions';
import type { FragmentTarget } from '../../../../core/model/resourceTarget';
import { contextTokens, type OrganizationScope, type TreeNode } from './treeNode';

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
