import * as vscode from 'vscode';
import { getNames } from '../../../../core/model/resourceName';
import type { LocationTarget, MachineTarget } from '../../../../core/model/resourceTarget';
import { owningOrganization } from '../../../../core/stores/owningOrganization';
import { promptForName } from '../../../platform/promptForName';
import { confirmDeletion } from '../../../platform/confirmDeletion';
import type { FleetTools } from '../../../platform/fleetTools';
import { resolveTarget } from '../../../platform/resolveTarget';
import { formatPartCount } from '../counts';
import { offerNextSteps } from './connectMachine';

/** Creates a machine and offers the next steps. The service adds a main part to the machine. */
export async function createMachine(
  tools: FleetTools,
  given: LocationTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'location', given, 'administer');
  const { locationId } = target;
  const created = await promptForName({
    title: vscode.l10n.t('Create Machine'),
    prompt: vscode.l10n.t('Name of the new machine in the location "{0}"', target.name),
    siblings: getNames(await stores.machines.list(locationId)),
    submit: async (name) => ({ machineId: await stores.machines.create(locationId, name), name }),
  });
  const machine: MachineTarget = { ...target, ...created, kind: 'machine' };
  await tools.reveal(machine);
  await offerNextSteps(tools, machine);
}

export async function renameMachine(
  tools: FleetTools,
  given: MachineTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'machine', given, 'administer');
  const machine = await stores.machines.get(target.machineId);
  await promptForName({
    title: vscode.l10n.t('Rename Machine'),
    prompt: vscode.l10n.t('New name of the machine "{0}"', machine.name),
    current: machine.name,
    siblings: getNames(await stores.machines.list(target.locationId)),
    submit: async (name) => {
      await stores.machines.rename({ id: target.machineId, locationId: target.locationId }, name);
    },
  });
}

export async function deleteMachine(
  tools: FleetTools,
  given: MachineTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'machine', given, 'administer');
  const [parts, organization] = await Promise.all([
    stores.parts.list(target.machineId, { fresh: true }),
    owningOrganization(stores, target),
  ]);
  await confirmDeletion({
    title: vscode.l10n.t('Delete Machine'),
    name: target.name,
    id: target.machineId,
    organization,
    alsoDeleted: [formatPartCount(parts.length)],
  });
  await stores.machines.delete({ id: target.machineId, locationId: target.locationId });
}
