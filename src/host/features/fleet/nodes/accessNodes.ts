import { FleetError } from '../../../../core/api/errors';
import {
  type ApiKeySummary,
  type AssignedRole,
  inRoleOrder,
  type Invite,
  type Member,
  type Membership,
  type Role,
} from '../../../../core/model/access';
import { getRights, type Granted, hasRight } from '../../../../core/model/permissions';
import type {
  ApiKeyTarget,
  InviteTarget,
  MemberTarget,
  OrganizationTarget,
  RoleHolder,
  RoleTarget,
} from '../../../../core/model/resourceTarget';
import { HintNode, type LoadMoreNode, pagedNodes } from './listNodes';
import { contextTokens, type OrganizationScope, type TreeNode } from './treeNode';
import { type ResourceNames, roleResourceNames } from '../../../../core/stores/roleResourceNames';

/** Node with an organization's members and pending invitations. */
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
      const canInvite = hasRight('organization', this.scope.granted, 'administer');
      return [new HintNode(this, 'noMembers', canInvite)];
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
      const canAdd = hasRight('organization', this.scope.granted, 'administer');
      return [new HintNode(this, 'noRoles', canAdd)];
    }
    const holder = { type: 'user', id: this.member.id, name: this.target.name } as const;
    return roleNodes(this, this.scope, holder, this.roles);
  }
}

/** Node for a pending invitation with its roles as children. */
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
   * Returns the keys with one call, regardless of their number; empty if this connection's key has
   * no permission to list them.
   */
  async children(): Promise<readonly (ApiKeyNode | HintNode | LoadMoreNode)[]> {
    const { context, granted, organizationId } = this.scope;
    const hidden = [new HintNode(this, 'apiKeysHidden')];
    if (!hasRight('organization', granted, 'inspect')) return hidden;
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

  /** Returns the names of the resources for the key's roles, for the tooltip. */
  resourceNames(): Promise<ResourceNames> {
    const { context, organizationId } = this.scope;
    return roleResourceNames(context.stores, organizationId, this.apiKey.roles);
  }
}

const HOLDER_TOKENS = { user: 'ofMember', apiKey: 'ofKey', invite: 'ofInvite' } as const;

/** Node for a role of a member, an API key, or an invitation. */
export class RoleNode implements TreeNode {
  readonly kind = 'role';
  readonly id: string;
  readonly contextValue: string;
  /** Permissions on the organization, which are required for changing members. */
  readonly organizationGranted: Granted;
  readonly target: RoleTarget;

  /** @param resourceName name of the role's resource, or its ID if the name is unknown. */
  constructor(
    readonly parent: TreeNode,
    scope: OrganizationScope,
    holder: RoleHolder,
    readonly role: Role,
    resourceName: string,
  ) {
    this.organizationGranted = scope.granted;
    this.id = `${parent.id}/role/${role.name}/${role.resourceId}`;
    this.contextValue = contextTokens(
      'role',
      HOLDER_TOKENS[holder.type],
      ...getRights('organization', scope.granted),
    );
    this.target = {
      kind: 'role',
      connectionId: scope.context.connection.id,
      organizationId: scope.organizationId,
      holder,
      role,
      name: resourceName,
    };
  }
}

/**
 * Returns a node for each role of a member, an API key, or an invitation, in order of decreasing
 * scope.
 */
async function roleNodes(
  parent: TreeNode,
  scope: OrganizationScope,
  holder: RoleHolder,
  roles: readonly Role[],
): Promise<readonly RoleNode[]> {
  const names = await roleResourceNames(scope.context.stores, scope.organizationId, roles);
  return inRoleOrder(roles).map((role) => {
    const name = names.get(role.resourceId) ?? role.resourceId;
    return new RoleNode(parent, scope, holder, role, name);
  });
}
