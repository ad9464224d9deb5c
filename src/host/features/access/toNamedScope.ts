import { toRoleScope } from '../../../core/model/permissions';
import type {
  LocationTarget,
  MachineTarget,
  OrganizationTarget,
} from '../../../core/model/resourceTarget';
import type { NamedScope } from './rolePlaces';

/** Resource on which roles can be granted. */
export type RoleableTarget = OrganizationTarget | LocationTarget | MachineTarget;

/** Converts a resource to the scope of a role, with its name. */
export function toNamedScope(target: RoleableTarget): NamedScope {
  const { type, id } = toRoleScope(target);
  return { resourceType: type, resourceId: id, name: target.name };
}
