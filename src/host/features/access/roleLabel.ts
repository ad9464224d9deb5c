import type { Role } from '../../../core/model/access';
import { roleIcon, roleText } from '../../platform/roleText';
import { iconLabel } from '../../platform/quickText';

/** A role in a list to choose from; `resourceName` is the name of what it is on. */
export function roleLabel(role: Role, resourceName: string): string {
  return iconLabel(roleIcon(role.name), roleText(role, resourceName));
}
