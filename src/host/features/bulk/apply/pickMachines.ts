import * as vscode from 'vscode';
import { canceled, FleetError } from '../../../../core/api/errors';
import { displayName } from '../../../../core/model/toDisplayText';
import type {
  LocationTarget,
  OrganizationTarget,
  ResourceTarget,
} from '../../../../core/model/resourceTarget';
import { machinesIn, type MachineWithPath } from '../../../../core/stores/machinesInScope';
import { reading } from '../../../platform/progress';
import { escapeIcons, quickPath } from '../../../platform/toQuickPickText';
import type { BulkTools } from '../bulkTools';

interface MachineItem extends vscode.QuickPickItem {
  readonly machine: MachineWithPath;
}

/**
 * Prompts for the machines to change. If organizations or locations are selected, offers the
 * machines in them, all preselected. If machines, parts, or fragments are selected, offers all
 * machines of their organization. Throws `canceled`.
 */
export async function pickMachines(
  tools: BulkTools,
  selected: readonly ResourceTarget[],
): Promise<readonly MachineWithPath[]> {
  const targets = selected.length > 0 ? selected : [await tools.pickTarget('organization')];
  const { all, chosen } = await readScope(tools, targets, selected.length > 0);
  if (all.length === 0) {
    throw new FleetError('notFound', vscode.l10n.t('There are no machines here.'));
  }
  const items = all.map((machine): MachineItem => {
    const { target, path } = machine;
    return {
      machine,
      label: escapeIcons(displayName({ name: target.name, id: target.machineId })),
      description: quickPath(path),
      picked: chosen.has(target.machineId),
    };
  });
  const picked = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    matchOnDescription: true,
    ignoreFocusOut: true,
    title: vscode.l10n.t('Apply Fragment or Patch to Machines'),
    placeHolder: vscode.l10n.t('Select the machines to change. Nothing is saved yet.'),
  });
  if (!picked) throw canceled();
  if (picked.length === 0) {
    throw new FleetError('invalid', vscode.l10n.t('No machine is selected, so nothing changes.'));
  }
  return picked.map(({ machine }) => machine);
}

interface Scope {
  readonly all: readonly MachineWithPath[];
  readonly chosen: ReadonlySet<string>;
}

function readScope(
  { sessions }: BulkTools,
  targets: readonly ResourceTarget[],
  isSelection: boolean,
): Promise<Scope> {
  const all = new Map<string, MachineWithPath>();
  const chosen = new Set<string>();
  return reading(vscode.l10n.t('Loading machines'), async (signal, report) => {
    for (const [index, target] of targets.entries()) {
      const isContainer = target.kind === 'organization' || target.kind === 'location';
      const isKnown = 'machineId' in target && all.has(target.machineId);
      const scope = isContainer ? target : toOrganizationTarget(target);
      const stores = sessions.stores(target.connectionId);
      for (const machine of isKnown ? [] : await machinesIn(stores, scope, signal)) {
        all.set(machine.target.machineId, machine);
        if (isContainer && isSelection) chosen.add(machine.target.machineId);
      }
      if ('machineId' in target) chosen.add(target.machineId);
      report(index + 1, targets.length);
    }
    return { all: [...all.values()], chosen };
  });
}

function toOrganizationTarget({
  connectionId,
  organizationId,
}: ResourceTarget): OrganizationTarget | LocationTarget {
  return { kind: 'organization', connectionId, organizationId, name: '' };
}
