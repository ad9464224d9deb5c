import type { Role } from '../../../core/model/access';
import { locationId, machineId } from '../../../core/model/ids';
import type { ResourceTarget } from '../../../core/model/resourceTarget';
import type { AccessContext } from './accessTools';

/** Returns the resource of a role as a target for commands. */
export async function roleResource(
  { organization, stores }: AccessContext,
  { resourceType, resourceId }: Role,
): Promise<ResourceTarget> {
  const { connectionId, organizationId } = organization;
  switch (resourceType) {
    case 'organization':
      return organization;
    case 'location': {
      const all = await stores.locations.list(organizationId);
      const id = locationId(resourceId);
      const name = all.find((location) => location.id === id)?.name ?? resourceId;
      return { kind: 'location', connectionId, organizationId, locationId: id, name };
    }
    case 'robot': {
      const machine = await stores.machines.get(machineId(resourceId));
      const { id, name } = machine;
      const where = { connectionId, organizationId, locationId: machine.locationId };
      return { kind: 'machine', ...where, machineId: id, name };
    }
  }
}
