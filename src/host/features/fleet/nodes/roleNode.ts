import type { Role } from '../../../../core/model/access';
import type { RoleHolder, RoleTarget } from '../../../../core/model/accessTarget';
import { type Granted, getRights } from '../../../../core/model/permissions';
import { contextTokens, type OrganizationScope, type TreeNode } from './treeNode';

const HOLDER_TOKENS = { user: 'ofMember', apiKey: 'ofKey', invite: 'ofInvite' } as const;

/** Node of a role of a member, an API key, or an invitation. */
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
