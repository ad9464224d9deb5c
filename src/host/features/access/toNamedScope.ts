import { toRoleScope } from '../../../core/model/permissions';
import type {
  LocationTarget,
  MachineTarget,
  OrganizationTarget,
} from '../../../core/model/resourceTarget';
import type { NamedScope } from './rolePlaces';

/** Resource that roles can be granted on. */
export type RoleableTarget = OrganizationTarget | LocationTarget | MachineTarget;

/** Returns a resource as the target of roles, with its name. */
export function toNamedScope(target: RoleableTarget): NamedScope {
  const { type, id } = toRoleScope(target);
  return { resourceType: type, resourceId: id, name: target.name };
}
