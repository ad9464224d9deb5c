import type { ApiKeyTarget } from '../../../../core/model/accessTarget';
import type { ApiKeySummary } from '../../../../core/model/apiKeySummary';
import { getRights } from '../../../../core/model/permissions';
import { type ResourceNames, roleResourceNames } from '../../../../core/stores/roleNames';
import type { RoleNode } from './roleNode';
import { roleNodes } from './roleNodes';
import { contextTokens, type OrganizationScope, type TreeNode } from './treeNode';

/** API key node with its roles as children. */
export class ApiKeyNode implements TreeNode {
  readonly kind = 'apiKey';
  readonly id: string;
  readonly contextValue: string;
  readonly target: ApiKeyTarget;
  /** True if this window is signed in with this key. */
  readonly isInUse: boolean;

  constructor(
    readonly parent: TreeNode,
    private readonly scope: OrganizationScope,
    readonly apiKey: ApiKeySummary,
  ) {
    const { connection } = scope.context;
    this.isInUse = connection.keyId.toLowerCase() === apiKey.id.toLowerCase();
    this.id = `${scope.nodeId}/apiKey/${apiKey.id}`;
    this.contextValue = contextTokens(
      'apiKey',
      this.isInUse && 'inUse',
      ...getRights('organization', scope.granted),
    );
    this.target = {
      kind: 'apiKey',
      connectionId: connection.id,
      organizationId: scope.organizationId,
      keyId: apiKey.id,
      name: apiKey.name || apiKey.id,
    };
  }

  children(): Promise<readonly RoleNode[]> {
    const holder = { type: 'apiKey', id: this.apiKey.id, name: this.target.name } as const;
    return roleNodes(this, this.scope, holder, this.apiKey.roles);
  }

  /** Returns the names of the resources of the key's roles, for the tooltip. */
  resourceNames(): Promise<ResourceNames> {
    const { context, organizationId } = this.scope;
    return roleResourceNames(context.stores, organizationId, this.apiKey.roles);
  }
}
