import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import { confirmPartRestart, formatOwner } from '../../../../core/confirmations/confirmation';
import { displayName } from '../../../../core/model/displayText';
import { getNames } from '../../../../core/model/resourceName';
import type { MachineTarget, PartTarget } from '../../../../core/model/resourceTarget';
import { owningOrganization } from '../../../../core/stores/ownersAbove';
import { confirm, confirmChange, promptForName } from '../../../platform/prompts/prompts';
import { confirmDeletion } from '../../../platform/prompts/confirmDeletion';
import type { FleetTools } from '../../../platform/fleetTools';
import { resolveTarget } from '../../../platform/prompts/resolveTarget';
import { copyText } from '../../../platform/commands/statusMessage';
import { notifyRestarts, watchRestarts } from '../../../platform/commands/watchRestarts';

export async function createPart(
  tools: FleetTools,
  requestedTarget: MachineTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'machine', requestedTarget, 'administer');
  const created = await promptForName({
    title: vscode.l10n.t('Create Part'),
    prompt: vscode.l10n.t('Name of the new part of the machine "{0}"', target.name),
    siblings: getNames(await stores.parts.list(target.machineId)),
    submit: async (name) => ({
      partId: await stores.parts.create(target.machineId, name),
      name,
    }),
  });
  await tools.reveal({ ...target, ...created, kind: 'part', machineName: target.name });
}

export async function renamePart(
  tools: FleetTools,
  requestedTarget: PartTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'part', requestedTarget, 'administer');
  const { name: current } = await stores.parts.get(target.partId, { fresh: true });
  await promptForName({
    title: vscode.l10n.t('Rename Part'),
    prompt: vscode.l10n.t('New name for the part "{0}"', current),
    current,
    siblings: getNames(await stores.parts.list(target.machineId)),
    submit: async (name) => {
      await stores.parts.rename(target.partId, name);
    },
  });
}

export async function deletePart(
  tools: FleetTools,
  requestedTarget: PartTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'part', requestedTarget, 'administer');
  await confirmDeletion({
    title: vscode.l10n.t('Delete Part'),
    name: target.name,
    id: target.partId,
    organization: await owningOrganization(stores, target),
    alsoDeleted: [vscode.l10n.t('its config and history')],
  });
  await stores.parts.delete({ id: target.partId, machineId: target.machineId });
}

export async function markPartAsMain(
  tools: FleetTools,
  requestedTarget: PartTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'part', requestedTarget, 'administer');
  await confirm(
    vscode.l10n.t('Set "{0}" as the main part of "{1}"?', target.name, target.machineName),
    [
      formatOwner(await owningOrganization(stores, target), vscode.l10n),
      vscode.l10n.t("The machine's clients connect to its main part."),
    ].join(' '),
    vscode.l10n.t('Set as Main Part'),
  );
  await stores.parts.markAsMain({ id: target.partId, machineId: target.machineId });
}

export async function markPartForRestart(
  tools: FleetTools,
  requestedTarget: PartTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'part', requestedTarget, 'control');
  const organization = await owningOrganization(stores, target);
  await confirmChange(confirmPartRestart(target, organization, vscode.l10n));
  await stores.parts.markForRestart(target.partId);
  const title = vscode.l10n.t('Restart of "{0}"', partName(target));
  notifyRestarts(await watchRestarts(tools.sessions, title, [target]));
}

export async function copyPartFqdn(
  tools: FleetTools,
  requestedTarget: PartTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'part', requestedTarget);
  const parts = await stores.parts.list(target.machineId);
  const fqdn = parts.find(({ id }) => id === target.partId)?.fqdn ?? '';
  if (fqdn === '') {
    const message = vscode.l10n.t('The part "{0}" has no address yet.', target.name);
    throw new FleetError('notFound', message);
  }
  await copyText(fqdn);
}

function partName({ name, partId }: PartTarget): string {
  return displayName({ name, id: partId });
}
