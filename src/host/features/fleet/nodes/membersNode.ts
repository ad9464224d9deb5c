import { FleetError } from '../../../../core/api/errors';
import type { AssignedRole } from '../../../../core/model/access';
import type { Membership } from '../../../../core/model/membership';
import { type Granted, hasRight, getRights } from '../../../../core/model/permissions';
import type { OrganizationTarget } from '../../../../core/model/resourceTarget';
import { HintNode } from './hintNode';
import { InviteNode } from './inviteNode';
import type { LoadMoreNode } from './loadMoreNode';
import { MemberNode } from './memberNode';
import { pagedNodes } from './pagedNodes';
import { contextTokens, type OrganizationScope, type TreeNode } from './treeNode';

/** Node with the members of an organization and its pending invitations. */
export class MembersNode implements TreeNode {
  readonly kind = 'members';
  readonly id: string;
  readonly contextValue: string;
  /** Permissions on the organization, which are required for changing members. */
  readonly organizationGranted: Granted;

  constructor(
    readonly parent: TreeNode,
    private readonly scope: OrganizationScope,
    /** Target for the node's menu, which invites users to the organization. */
    readonly target: OrganizationTarget,
  ) {
    this.organizationGranted = scope.granted;
    this.id = `${scope.nodeId}/members`;
    this.contextValue = contextTokens('members', ...getRights('organization', scope.granted));
  }

  async children(): Promise<readonly (MemberNode | InviteNode | HintNode | LoadMoreNode)[]> {
    const read = await this.read();
    if (!read) return [new HintNode(this, 'membersHidden')];
    const { members, invites } = read;
    const rolesByHolder = byHolder(read.roles);
    const all = [
      ...members.map(
        (member) => () =>
          new MemberNode(this, this.scope, member, rolesByHolder.get(member.id) ?? []),
      ),
      ...invites.map((invite) => () => new InviteNode(this, this.scope, invite)),
    ];
    if (all.length === 0) {
      const mayInvite = hasRight('organization', this.scope.granted, 'administer');
      return [new HintNode(this, 'noMembers', mayInvite)];
    }
    return pagedNodes(this, this.scope.context, all, (make) => make());
  }

  /**
   * Returns the members and roles with two calls, regardless of their number; undefined if the key
   * has no permission to list them.
   */
  private async read(): Promise<(Membership & { roles: readonly AssignedRole[] }) | undefined> {
    const { organizationId, context } = this.scope;
    try {
      const [membership, roles] = await Promise.all([
        context.stores.members.list(organizationId),
        context.stores.roles.list(organizationId),
      ]);
      return { ...membership, roles };
    } catch (error) {
      if (error instanceof FleetError && error.kind === 'permission') return undefined;
      throw error;
    }
  }
}

function byHolder(roles: readonly AssignedRole[]): ReadonlyMap<string, readonly AssignedRole[]> {
  const rolesById = new Map<string, AssignedRole[]>();
  for (const role of roles) {
    const known = rolesById.get(role.identity.id);
    if (known) known.push(role);
    else rolesById.set(role.identity.id, [role]);
  }
  return rolesById;
}
