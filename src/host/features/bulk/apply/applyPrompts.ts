import * as vscode from 'vscode';
import { canceled, FleetError } from '../../../../core/api/errors';
import { displayName } from '../../../../core/model/displayText';
import type {
  FragmentTarget,
  LocationTarget,
  OrganizationTarget,
  ResourceTarget,
} from '../../../../core/model/resourceTarget';
import { machinesIn, type MachineWithPath } from '../../../../core/stores/findMachines';
import { reading } from '../../../platform/commands/progress';
import { escapeIcons, quickPath, toQuickPickText } from '../../../platform/text/displayText';
import type { BulkTools } from '../bulkTargets';
import type { ConfigChange } from '../../../../core/bulk/changePlan';
import { findJsonProblems } from '../../../../core/documents/jsonProblems';
import { promptForFragmentUse } from '../../../platform/prompts/promptForFragmentUse';
import { pickOne } from '../../../platform/prompts/prompts';
import type { PatchEditors } from './patchEditors';

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

interface ChangeItem extends vscode.QuickPickItem {
  readonly prompt: () => Promise<ConfigChange>;
}

/** Prompts for the change to make to the configs. Throws `canceled`. */
export async function promptForChange(
  tools: BulkTools,
  patches: PatchEditors,
  fragment: FragmentTarget | undefined,
): Promise<ConfigChange> {
  if (fragment) return addedFragment(tools, fragment);
  const items: readonly ChangeItem[] = [
    {
      label: vscode.l10n.t('$(layers) Add Fragment…'),
      detail: vscode.l10n.t('Adds a fragment to each config, with a prefix and variables'),
      prompt: async () => addedFragment(tools, await tools.pickTarget('fragment')),
    },
    {
      label: vscode.l10n.t('$(edit) Write a JSON Merge Patch…'),
      detail: vscode.l10n.t('Keys to set, and null for keys to remove (RFC 7396)'),
      prompt: async () => mergePatch(await patches.promptForPatch()),
    },
    ...patchInFront(),
  ];
  const chosen = await pickOne(items, {
    title: vscode.l10n.t('Apply Fragment or Patch to Machines'),
    placeholder: vscode.l10n.t('Select the change to apply to the machine configs'),
  });
  return chosen.prompt();
}

async function addedFragment(
  { sessions }: BulkTools,
  { connectionId, fragmentId }: FragmentTarget,
): Promise<ConfigChange> {
  const fragment = await sessions.stores(connectionId).fragments.get(fragmentId);
  const use = await promptForFragmentUse(fragment, undefined);
  return { kind: 'addFragment', fragmentName: displayName(fragment), use };
}

/**
 * Returns items for using the selection or the whole document in the active editor as a patch, if
 * they are valid.
 */
function patchInFront(): readonly ChangeItem[] {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return [];
  const { document, selection } = editor;
  const name = toQuickPickText(vscode.workspace.asRelativePath(document.uri));
  const selected = document.getText(selection);
  return [
    ...item(vscode.l10n.t('$(selection) Merge Patch from the Selection'), name, selected),
    ...item(vscode.l10n.t('$(json) Merge Patch from the Open Document'), name, document.getText()),
  ];
}

function item(label: string, description: string, text: string): readonly ChangeItem[] {
  if (text.trim() === '' || findJsonProblems(text, 'text').length > 0) return [];
  return [{ label, description, prompt: () => Promise.resolve(mergePatch(text)) }];
}

function mergePatch(patch: string): ConfigChange {
  return { kind: 'mergePatch', patch };
}
