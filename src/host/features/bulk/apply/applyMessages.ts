import * as vscode from 'vscode';
import type { ChangePlan, ConfigChange, PlannedChange } from '../../../../core/bulk/changePlan';
import {
  machinesIn,
  type MachineWithPath,
  type PartWithPath,
} from '../../../../core/stores/findMachines';
import {
  escapeIcons,
  formatNames,
  quickPath,
  toQuickPickText,
} from '../../../platform/text/displayText';
import {
  type BulkReport,
  createReport,
  type ReportedProblem,
} from '../../../platform/commands/bulkReports';
import { type BulkTools, formatTarget } from '../bulkTargets';
import { canceled, FleetError } from '../../../../core/api/errors';
import type { BulkOutcome } from '../../../../core/bulk/bulkRun';
import { displayName, toDisplayText } from '../../../../core/model/displayText';
import { configAddress } from '../../../../core/documents/documentResource';
import { findOpenDocument } from '../../../platform/documents/documentUris';
import { describeProblems, type PlanProblems } from './changeProblems';
import type {
  FragmentTarget,
  LocationTarget,
  OrganizationTarget,
  ResourceTarget,
} from '../../../../core/model/resourceTarget';
import { reading } from '../../../platform/commands/progress';
import { findJsonProblems } from '../../../../core/documents/jsonProblems';
import { promptForFragmentUse } from '../../../platform/prompts/promptForFragmentUse';
import { pickOne } from '../../../platform/prompts/prompts';
import type { PatchEditors } from './patchEditors';

/** Maximum number of names in a message. Further names are only counted. */
const MAX_LISTED = 3;

export function machineCount(changes: readonly PlannedChange[]): number {
  return new Set(changes.map(({ part }) => part.target.machineId)).size;
}

/**
 * Returns the label of the button that applies the changes, which is also part of the preview's
 * title.
 */
export function applyLabel(machines: number): string {
  return machines === 1
    ? vscode.l10n.t('Apply to 1 Machine')
    : vscode.l10n.t('Apply to {0} Machines', machines);
}

/**
 * Returns the confirmation question for the preview, including the problems that the changes would
 * add, the skipped parts, and the reasons for skipping them.
 */
export function previewQuestion(
  plan: ChangePlan,
  problems: PlanProblems,
  edited: readonly PartWithPath[],
  denied: readonly ReportedProblem[],
): string {
  const { changes, unchanged, failed } = plan;
  return [
    changes.length === 1
      ? vscode.l10n.t('1 config will change as shown. Nothing has been applied yet.')
      : vscode.l10n.t(
          '{0} configs will change as shown. Nothing has been applied yet.',
          changes.length,
        ),
    ...describeProblems(problems),
    ...(unchanged.length === 1 ? [vscode.l10n.t('1 config is already up to date.')] : []),
    ...(unchanged.length > 1
      ? [vscode.l10n.t('{0} configs are already up to date.', unchanged.length)]
      : []),
    ...(failed.length > 0
      ? [
          vscode.l10n.t(
            "This change can't be applied to {0}.",
            formatNames(
              failed.map(({ item }) => formatTarget(item.target)),
              MAX_LISTED,
            ),
          ),
        ]
      : []),
    ...(edited.length > 0
      ? [
          vscode.l10n.t(
            'Skipped because of unsaved edits: {0}.',
            formatNames(
              edited.map(({ target }) => formatTarget(target)),
              MAX_LISTED,
            ),
          ),
        ]
      : []),
    ...(denied.length > 0
      ? [
          vscode.l10n.t(
            "Skipped because you don't have permission: {0}.",
            formatNames(
              denied.map(({ name }) => name),
              MAX_LISTED,
            ),
          ),
        ]
      : []),
  ].join(' ');
}

export interface Applied {
  readonly change: ConfigChange;
  readonly plan: ChangePlan;
  /** Parts that were skipped because of unsaved edits. */
  readonly edited: readonly PartWithPath[];
  /** Parts that the API key doesn't have permission to change. */
  readonly denied: readonly ReportedProblem[];
  readonly outcomes: readonly BulkOutcome<PlannedChange>[];
}

/** Returns the report for a change to many configs. */
export function applyReport({ change, plan, edited, denied, outcomes }: Applied): BulkReport {
  const written = createReport(
    formatTitle(change),
    outcomes,
    ({ part }) => formatPartPath(part),
    describeFailure,
  );
  const unread = plan.failed.map(({ item, error }) => ({
    name: formatPartPath(item),
    reason: error.message,
  }));
  return {
    ...written,
    details: formatDetails(change),
    failed: [...written.failed, ...unread],
    unchanged: plan.unchanged.map(formatPartPath),
    skipped: [
      ...edited.map((part) => ({ name: formatPartPath(part), reason: getUnsavedEditsMessage() })),
      ...denied,
    ],
  };
}

function describeFailure(error: FleetError): string {
  if (error.kind !== 'conflict' || error.message === getUnsavedEditsMessage()) return error.message;
  return vscode.l10n.t('It changed after the preview. Retry to see an updated diff.');
}

function formatTitle(change: ConfigChange): string {
  switch (change.kind) {
    case 'addFragment':
      return vscode.l10n.t('Add Fragment "{0}"', change.fragmentName);
    case 'deployModule':
      return vscode.l10n.t('Deploy Module "{0}"', toDisplayText(change.deployment.ids[0]));
    case 'mergePatch':
      return vscode.l10n.t('Apply Merge Patch');
  }
}

function formatDetails(change: ConfigChange): string {
  switch (change.kind) {
    case 'addFragment':
      return formatAddedFragment(change);
    case 'deployModule':
      return vscode.l10n.t('Version: {0}', toDisplayText(change.deployment.version));
    case 'mergePatch':
      return change.patch.trim();
  }
}

function formatAddedFragment({
  use,
}: Extract<ConfigChange, { readonly kind: 'addFragment' }>): string {
  return [
    vscode.l10n.t('Fragment ID: {0}', use.id),
    ...(use.prefix === '' ? [] : [vscode.l10n.t('Prefix: {0}', use.prefix)]),
    ...(use.variables === '' ? [] : [vscode.l10n.t('Variables: {0}', use.variables)]),
  ].join('\n');
}

/**
 * Formats a part with its parents. The machine is the last parent, directly before the name of the
 * part.
 */
function formatPartPath({ target, path }: PartWithPath): string {
  const above = path.slice(0, -1).map((name) => toDisplayText(name));
  return `${formatTarget(target)} (${above.join(' › ')})`;
}

/** Returns true if a part's config has unsaved edits in this window. */
export function hasUnsavedEdits({ target }: PartWithPath): boolean {
  return findOpenDocument(configAddress(target))?.isDirty ?? false;
}

/**
 * Returns the message that explains why a part with unsaved edits is skipped, with the recommended
 * action.
 */
export function getUnsavedEditsMessage(): string {
  return vscode.l10n.t('It has unsaved edits in this window. Save or revert them, then retry.');
}

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
