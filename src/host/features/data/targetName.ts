import { displayName } from '../../../core/model/displayText';
import { targetId } from '../../../core/model/resourceTarget';
import type { FleetStores } from '../../../core/stores/fleetStores';
import type { BrowsableTarget } from '../../../manifest/commands';

/** How what a panel was opened on is called now, and what it was called then where that cannot be read. */
export async function targetName(stores: FleetStores, target: BrowsableTarget): Promise<string> {
  const name = await nameOf(stores, target).catch(() => target.name);
  return displayName({ name, id: targetId(target) });
}

async function nameOf(stores: FleetStores, target: BrowsableTarget): Promise<string> {
  switch (target.kind) {
    case 'organization':
      return (await stores.organizations.get(target.organizationId)).name;
    case 'location':
      return (await stores.locations.get(target.locationId)).name;
    case 'machine':
      return (await stores.machines.get(target.machineId)).name;
    case 'part':
      return (await stores.parts.get(target.partId)).name;
    case 'dataset':
      return (await stores.datasets.get(target.datasetId)).name;
  }
}
