import * as vscode from 'vscode';
import { DisposableSet } from '../../../../base/disposable';
import { displayName, toDisplayText } from '../../../../core/model/toDisplayText';
import { isTargetOf } from '../../../../core/model/isTargetOf';
import type { FragmentTarget } from '../../../../core/model/resourceTarget';
import {
  findMachinesUsing,
  type MachinesUsing,
  type PartUsing,
} from '../../../../core/bulk/machinesUsing';
import { parseDocumentAddress } from '../../../platform/documentUris';
import type { FleetTools } from '../../../platform/fleetTools';
import { reading } from '../../../platform/progress';
import { escapeIcons, quickPath } from '../../../platform/toQuickPickText';

interface UseItem extends vscode.QuickPickItem {
  readonly use: PartUsing;
}

/**
 * Lists the organization's machines that use a fragment. Selecting a machine reveals it in the
 * tree.
 */
export async function showMachines(tools: FleetTools, given: object | undefined): Promise<void> {
  const target = await resolveFragmentTarget(tools, given);
  const stores = tools.sessions.stores(target.connectionId);
  const found = await reading(
    vscode.l10n.t('Searching for machines that use "{0}"', target.name),
    (signal, report) => findMachinesUsing(stores, target, signal, report),
  );
  if (found.parts.length === 0) {
    void vscode.window.showInformationMessage(describeNoMachines(target, found));
    return;
  }
  showPick(tools, target, found);
}

async function resolveFragmentTarget(
  { sessions, pickTarget }: FleetTools,
  given: object | undefined,
): Promise<FragmentTarget> {
  if (isTargetOf('fragment', given)) return given;
  const uri = given instanceof vscode.Uri ? given : vscode.window.activeTextEditor?.document.uri;
  const address = uri && parseDocumentAddress(uri);
  if (address?.subject.type !== 'fragmentConfig') return pickTarget('fragment');
  const { connectionId, subject } = address;
  const { organizationId, name } = await sessions.stores(connectionId).fragments.get(subject.id);
  return { kind: 'fragment', connectionId, organizationId, fragmentId: subject.id, name };
}

function showPick(
  { commands }: FleetTools,
  { name }: FragmentTarget,
  { parts, machines, failed }: MachinesUsing,
): void {
  const owned = new DisposableSet();
  const pick = owned.add(vscode.window.createQuickPick<UseItem>());
  const users = new Set(parts.map(({ part }) => part.machineId)).size;
  const title = [
    vscode.l10n.t('Machines using "{0}": {1} of {2}', toDisplayText(name), users, machines),
    ...(failed > 0 ? [vscode.l10n.t("{0} couldn't be read", failed)] : []),
  ];
  pick.title = title.join(' · ');
  pick.placeholder = vscode.l10n.t('Select a machine to show it in the fleet');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = parts.map(toUseItem);
  owned.add(
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      pick.hide();
      if (item) void commands.execute('fleetwright.resource.reveal', item.use.part);
    }),
  );
  owned.add(
    pick.onDidTriggerItemButton(({ item }) => {
      pick.hide();
      void commands.execute('fleetwright.part.openConfig', item.use.part);
    }),
  );
  owned.add(pick.onDidHide(() => owned.dispose()));
  pick.show();
}

function toUseItem(use: PartUsing): UseItem {
  const { machine, part, throughNames, way } = use;
  const how = [
    vscode.l10n.t('part: {0}', toDisplayText(part.name)),
    throughNames.length === 0
      ? vscode.l10n.t('used directly')
      : vscode.l10n.t('through {0}', throughNames.map((name) => toDisplayText(name)).join(' › ')),
    ...(way.disabled ? [vscode.l10n.t('disabled')] : []),
  ];
  const name = displayName({ name: machine.target.name, id: machine.target.machineId });
  return {
    use,
    label: escapeIcons(name),
    description: quickPath(machine.path.toReversed(), '‹'),
    detail: escapeIcons(how.join(' · ')),
    iconPath: new vscode.ThemeIcon('vm'),
    buttons: [
      { iconPath: new vscode.ThemeIcon('go-to-file'), tooltip: vscode.l10n.t('Open Config') },
    ],
  };
}

function describeNoMachines({ name }: FragmentTarget, { machines, failed }: MachinesUsing): string {
  const none = vscode.l10n.t(
    'None of the {0} machines here uses "{1}".',
    machines,
    toDisplayText(name),
  );
  if (failed === 0) return none;
  return `${none} ${vscode.l10n.t("{0} of them couldn't be read.", failed)}`;
}
