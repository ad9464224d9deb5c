import { FleetError } from '../../../../core/api/errors';
import { hasRight, getRights } from '../../../../core/model/permissions';
import type { OrganizationTarget } from '../../../../core/model/resourceTarget';
import { ApiKeyNode } from './apiKeyNode';
import { HintNode } from './hintNode';
import type { LoadMoreNode } from './loadMoreNode';
import { pagedNodes } from './pagedNodes';
import { contextTokens, type OrganizationScope, type TreeNode } from './treeNode';

/** Node with the API keys that have a role in an organization. */
export class ApiKeysNode implements TreeNode {
  readonly kind = 'apiKeys';
  readonly id: string;
  readonly contextValue: string;

  constructor(
    readonly parent: TreeNode,
    private readonly scope: OrganizationScope,
    /** Target for the node's menu, which creates keys in the organization. */
    readonly target: OrganizationTarget,
  ) {
    this.id = `${scope.nodeId}/apiKeys`;
    this.contextValue = contextTokens('apiKeys', ...getRights('organization', scope.granted));
  }

  /**
   * Returns the keys with one call, regardless of their number; empty if the key of this connection
   * has no permission to list them.
   */
  async children(): Promise<readonly (ApiKeyNode | HintNode | LoadMoreNode)[]> {
    const { context, granted, organizationId } = this.scope;
    const hidden = [new HintNode(this, 'apiKeysHidden')];
    if (!hasRight('organization', granted, 'administer')) return hidden;
    try {
      const keys = await context.stores.apiKeys.list(organizationId);
      if (keys.length === 0) return [new HintNode(this, 'noApiKeys')];
      return pagedNodes(this, context, keys, (key) => new ApiKeyNode(this, this.scope, key));
    } catch (error) {
      if (error instanceof FleetError && error.kind === 'permission') return hidden;
      throw error;
    }
  }
}
