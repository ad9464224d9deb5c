import { rolePlaceOf } from '../../../core/model/permissions';
import type {
  LocationTarget,
  MachineTarget,
  OrganizationTarget,
} from '../../../core/model/resourceTarget';
import type { NamedPlace } from './rolePlaces';

/** What roles are given on. */
export type RoleableTarget = OrganizationTarget | LocationTarget | MachineTarget;

/** The place of roles on a resource itself, with its name. */
export function namedPlaceOf(target: RoleableTarget): NamedPlace {
  const { type, id } = rolePlaceOf(target);
  return { resourceType: type, resourceId: id, name: target.name };
}
