import type { Role } from '../../../core/model/access';
import { roleIcon, roleText } from '../../platform/roleText';
import { iconLabel } from '../../platform/quickText';

/** Returns the label of a role in a quick pick; `resourceName` is the name of its resource. */
export function roleLabel(role: Role, resourceName: string): string {
  return iconLabel(roleIcon(role.name), roleText(role, resourceName));
}
