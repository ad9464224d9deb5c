import type { InviteTarget } from '../../../../core/model/accessTarget';
import type { Invite } from '../../../../core/model/membership';
import { type Granted, getRights } from '../../../../core/model/permissions';
import type { RoleNode } from './roleNode';
import { roleNodes } from './roleNodes';
import { contextTokens, type OrganizationScope, type TreeNode } from './treeNode';

/** Node of a pending invitation with its roles as children. */
export class InviteNode implements TreeNode {
  readonly kind = 'invite';
  readonly id: string;
  readonly contextValue: string;
  /** Permissions on the organization, which are required for changing members. */
  readonly organizationGranted: Granted;
  readonly target: InviteTarget;

  constructor(
    readonly parent: TreeNode,
    private readonly scope: OrganizationScope,
    readonly invite: Invite,
  ) {
    this.organizationGranted = scope.granted;
    this.id = `${scope.nodeId}/invite/${invite.email}`;
    this.contextValue = contextTokens('invite', ...getRights('organization', scope.granted));
    this.target = {
      kind: 'invite',
      connectionId: scope.context.connection.id,
      organizationId: scope.organizationId,
      email: invite.email,
      name: invite.email,
    };
  }

  children(): Promise<readonly RoleNode[]> {
    const { email, roles } = this.invite;
    return roleNodes(this, this.scope, { type: 'invite', id: email, name: email }, roles);
  }
}
