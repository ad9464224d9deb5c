import { rolePlaceOf } from '../../../core/model/permissions';
import type {
  LocationTarget,
  MachineTarget,
  OrganizationTarget,
} from '../../../core/model/resourceTarget';
import type { NamedPlace } from './rolePlaces';

/** Resource that roles can be granted on. */
export type RoleableTarget = OrganizationTarget | LocationTarget | MachineTarget;

/** Returns a resource as the target of roles, with its name. */
export function namedPlaceOf(target: RoleableTarget): NamedPlace {
  const { type, id } = rolePlaceOf(target);
  return { resourceType: type, resourceId: id, name: target.name };
}
