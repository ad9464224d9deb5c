import type { BulkTarget } from '../../../../core/data/bulkTarget';
import type { BinaryItem } from '../../../../core/model/binaryItem';
import type { ConnectionId } from '../../../../core/model/ids';
import { hasRight, type Right, rolePlaceOf } from '../../../../core/model/permissions';
import type { MachineTarget } from '../../../../core/model/resourceTarget';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import { requireRight } from '../../../platform/requireRight';

/** Machines of a selection that are asked about; the service decides on further ones. */
const MOST_ASKED = 50;

/**
 * Lets an action go on only when the key has a right on a machine that its items are of. Where it lacks it
 * on others, the service refuses their items one by one. @throws PermissionRefusal, which says whom to ask.
 */
export async function requireDataRight(
  stores: FleetStores,
  connectionId: ConnectionId,
  target: BulkTarget,
  right: Extract<Right, 'readData' | 'writeData'>,
): Promise<void> {
  const items = target.kind === 'items' ? target.items : await someOf(stores, target);
  const machines = machinesOf(connectionId, items);
  const [first] = machines;
  if (!first) return;
  const granted = await stores.access.mayOn(machines.map(rolePlaceOf));
  if (granted.some((here) => hasRight('machine', here, right))) return;
  await requireRight(stores, first, right);
}

async function someOf(
  { binaryData }: FleetStores,
  { filter }: Extract<BulkTarget, { kind: 'filter' }>,
): Promise<readonly BinaryItem[]> {
  const order = 'newestFirst';
  return (await binaryData.page({ filter, order, limit: MOST_ASKED })).items;
}

function machinesOf(
  connectionId: ConnectionId,
  items: readonly BinaryItem[],
): readonly MachineTarget[] {
  const machines = new Map<string, MachineTarget>();
  for (const { source } of items) {
    if (machines.size === MOST_ASKED) break;
    const { organizationId, locationId, machineId, machineName: name } = source;
    machines.set(machineId, {
      ...{ kind: 'machine', connectionId, organizationId, locationId, machineId, name },
    });
  }
  return [...machines.values()];
}
