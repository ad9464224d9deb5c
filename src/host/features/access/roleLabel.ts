import type { Role } from '../../../core/model/access';
import { roleIcon, formatRole } from '../../platform/formatRole';
import { iconLabel } from '../../platform/toQuickPickText';

/** Returns the label for a role in a quick pick. @param resourceName name of the role's resource */
export function roleLabel(role: Role, resourceName: string): string {
  return iconLabel(roleIcon(role.name), formatRole(role, resourceName));
}
