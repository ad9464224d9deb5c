import type {
  LocationTarget,
  MachineTarget,
  OrganizationTarget,
} from '../../../core/model/resourceTarget';
import type { RolePlace } from './rolePlaces';

/** What roles are given on. */
export type RoleableTarget = OrganizationTarget | LocationTarget | MachineTarget;

/** The place of roles on a resource itself. */
export function rolePlaceOf(target: RoleableTarget): RolePlace {
  const { name } = target;
  switch (target.kind) {
    case 'organization':
      return { resourceType: 'organization', resourceId: target.organizationId, name };
    case 'location':
      return { resourceType: 'location', resourceId: target.locationId, name };
    case 'machine':
      return { resourceType: 'robot', resourceId: target.machineId, name };
  }
}
