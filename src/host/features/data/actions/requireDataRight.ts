import type { BulkTarget } from '../../../../core/data/bulkTarget';
import type { BinaryItem } from '../../../../core/model/binaryItem';
import type { ConnectionId } from '../../../../core/model/ids';
import { hasRight, type Right, toRoleScope } from '../../../../core/model/permissions';
import type { MachineTarget } from '../../../../core/model/resourceTarget';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import { requireRight } from '../../../platform/requireRight';

/** Maximum number of machines to check for a selection. The service checks the rest. */
const MAX_CHECKED = 50;

/**
 * Checks that the key has a right on at least one of the items' machines. The service individually
 * rejects items of the other machines.
 * @throws PermissionRefusal with the users to contact.
 */
export async function requireDataRight(
  stores: FleetStores,
  connectionId: ConnectionId,
  target: BulkTarget,
  right: Extract<Right, 'readData' | 'writeData'>,
): Promise<void> {
  const items = target.kind === 'items' ? target.items : await readSample(stores, target);
  const machines = listMachines(connectionId, items);
  const [first] = machines;
  if (!first) return;
  const granted = await stores.access.mayOn(machines.map(toRoleScope));
  if (granted.some((here) => hasRight('machine', here, right))) return;
  await requireRight(stores, first, right);
}

async function readSample(
  { binaryData }: FleetStores,
  { filter }: Extract<BulkTarget, { kind: 'filter' }>,
): Promise<readonly BinaryItem[]> {
  const order = 'newestFirst';
  return (await binaryData.page({ filter, order, limit: MAX_CHECKED })).items;
}

function listMachines(
  connectionId: ConnectionId,
  items: readonly BinaryItem[],
): readonly MachineTarget[] {
  const machines = new Map<string, MachineTarget>();
  for (const { source } of items) {
    if (machines.size === MAX_CHECKED) break;
    const { organizationId, locationId, machineId, machineName: name } = source;
    machines.set(machineId, {
      ...{ kind: 'machine', connectionId, organizationId, locationId, machineId, name },
    });
  }
  return [...machines.values()];
}
