import { inRoleOrder, type Role } from '../../../../core/model/access';
import type { RoleHolder } from '../../../../core/model/accessTarget';
import { roleResourceNames } from '../../../../core/stores/roleNames';
import { RoleNode } from './roleNode';
import type { OrganizationScope, TreeNode } from './treeNode';

/**
 * Returns a node for each role of a member, an API key, or an invitation, in order of decreasing
 * scope.
 */
export async function roleNodes(
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
