import type { AssignedRole } from '../../../../core/model/access';
import type { MemberTarget } from '../../../../core/model/accessTarget';
import type { Member } from '../../../../core/model/membership';
import { type Granted, hasRight, getRights } from '../../../../core/model/permissions';
import { HintNode } from './hintNode';
import type { RoleNode } from './roleNode';
import { roleNodes } from './roleNodes';
import { contextTokens, type OrganizationScope, type TreeNode } from './treeNode';

/** Member node with the member's roles as children. */
export class MemberNode implements TreeNode {
  readonly kind = 'member';
  readonly id: string;
  readonly contextValue: string;
  /** Permissions on the organization, which are required for changing members. */
  readonly organizationGranted: Granted;
  readonly target: MemberTarget;

  constructor(
    readonly parent: TreeNode,
    private readonly scope: OrganizationScope,
    readonly member: Member,
    readonly roles: readonly AssignedRole[],
  ) {
    this.organizationGranted = scope.granted;
    this.id = `${scope.nodeId}/member/${member.id}`;
    this.contextValue = contextTokens('member', ...getRights('organization', scope.granted));
    this.target = {
      kind: 'member',
      connectionId: scope.context.connection.id,
      organizationId: scope.organizationId,
      userId: member.id,
      name: member.email || member.id,
    };
  }

  async children(): Promise<readonly (RoleNode | HintNode)[]> {
    if (this.roles.length === 0) {
      const mayAdd = hasRight('organization', this.scope.granted, 'administer');
      return [new HintNode(this, 'noRoles', mayAdd)];
    }
    const holder = { type: 'user', id: this.member.id, name: this.target.name } as const;
    return roleNodes(this, this.scope, holder, this.roles);
  }
}
