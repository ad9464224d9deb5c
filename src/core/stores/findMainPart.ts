import type { MachineTarget, PartTarget } from '../model/resourceTarget';
import type { FleetStores } from './fleetStores';
import { partTarget } from './machinesInScope';

/**
 * Finds the main part of a machine, or the first part if no part is marked as the main part.
 *
 * @returns undefined if the machine has no parts.
 * @throws FleetError if the parts can't be read
 */
export async function findMainPart(
  { parts }: FleetStores,
  machine: MachineTarget,
): Promise<PartTarget | undefined> {
  const list = await parts.list(machine.machineId);
  const part = list.find(({ main }) => main) ?? list[0];
  return part && partTarget(machine, part);
}
