import type { Role } from '../../../core/model/access';
import { roleIcon, formatRole } from '../../platform/formatRole';
import { iconLabel } from '../../platform/toQuickPickText';

/** Returns the label of a role in a quick pick; `resourceName` is the name of its resource. */
export function roleLabel(role: Role, resourceName: string): string {
  return iconLabel(roleIcon(role.name), formatRole(role, resourceName));
}
