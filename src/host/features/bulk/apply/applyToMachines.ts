import * as vscode from 'vscode';
import { canceled, FleetError, isCanceled } from '../../../../core/api/errors';
import type { BulkOutcome } from '../../../../core/bulk/bulkRun';
import { findNewProblems } from '../../../../core/bulk/newProblems';
import {
  applyPlanned,
  type ChangePlan,
  type ConfigChange,
  planChanges,
  type PlannedChange,
} from '../../../../core/bulk/changePlan';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import {
  listMachineParts,
  type MachineWithPath,
  type PartWithPath,
} from '../../../../core/stores/findMachines';
import type { Selection } from '../../../../manifest/commandArguments';
import { CONCURRENT_CALLS, reading, working } from '../../../platform/commands/progress';
import type { ReportedProblem } from '../../../platform/commands/bulkReports';
import { type BulkTools, getCommandTargets, ofKinds, withRight } from '../bulkTargets';
import {
  applyLabel,
  applyReport,
  getUnsavedEditsMessage,
  hasUnsavedEdits,
  machineCount,
  pickMachines,
  previewQuestion,
  promptForChange,
} from './applyMessages';
import { type PlanProblems, toDiagnostics } from './changeProblems';
import type { ChangePreviews } from './changePreviews';
import type { PatchEditors } from './patchEditors';
import type { ResourceTarget } from '../../../../core/model/resourceTarget';
import { pickOne } from '../../../platform/prompts/prompts';

const KINDS = ['organization', 'location', 'machine', 'part', 'fragment'] as const;

export interface ApplyTools extends BulkTools {
  readonly patches: PatchEditors;
  readonly previews: ChangePreviews;
}

/** Change to apply, and the parts to change. */
interface Task {
  readonly change: ConfigChange;
  readonly parts: readonly PartWithPath[];
  /** Parts that the API key doesn't have permission to change. */
  readonly denied: readonly ReportedProblem[];
  readonly stores: FleetStores;
}

/**
 * Applies one change to the configs of many machines: prompts for the change and the machines,
 * shows all differences, and writes only after the user confirms them.
 * @param requestedChange change to apply; undefined to prompt for it
 */
export async function applyToMachines(
  tools: ApplyTools,
  selection: Selection,
  requestedChange?: ConfigChange,
): Promise<void> {
  // If the change is given, the tree selection specifies the change instead of the machines.
  const targets = requestedChange ? [] : getCommandTargets(tools, selection);
  const { fitting } =
    targets.length === 0
      ? { fitting: [] }
      : ofKinds(
          targets,
          KINDS,
          vscode.l10n.t('Select machines or their locations or organizations first.'),
        );
  const fragment = selection[0]?.kind === 'fragment' ? selection[0] : undefined;
  const change = requestedChange ?? (await promptForChange(tools, tools.patches, fragment));
  if (requestedChange || change.kind !== 'mergePatch') {
    await run(tools, await pickTask(tools, change, fitting));
    return;
  }
  // The user has written the patch and can continue with it after a cancellation.
  const task = await continuing(() => pickTask(tools, change, fitting));
  await continuing(() => run(tools, task));
}

/**
 * Runs work, and repeats it if the user cancels it and then chooses to continue. Throws `canceled`.
 */
async function continuing<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isCanceled(error) || !(await wantsToContinue())) throw error;
    }
  }
}

async function wantsToContinue(): Promise<boolean> {
  const continueLabel = vscode.l10n.t('Continue');
  const text = vscode.l10n.t('Canceled. The merge patch was not applied to any config.');
  return (await vscode.window.showInformationMessage(text, continueLabel)) === continueLabel;
}

/** Prompts for a change's targets. Throws `canceled`. */
async function pickTask(
  tools: ApplyTools,
  change: ConfigChange,
  fitting: Parameters<typeof pickMachines>[1],
): Promise<Task> {
  const machines = await pickMachines(tools, fitting);
  const parts = await pickParts(tools, machines, fitting);
  const [first] = parts;
  if (!first) throw new FleetError('notFound', vscode.l10n.t('These machines have no parts.'));
  const stores = tools.sessions.stores(first.target.connectionId);
  const { fitting: allowed, skipped } = await withRight(
    tools,
    parts.map(({ target }) => target),
    'administer',
  );
  const writable = parts.filter(({ target }) => allowed.includes(target));
  return { change, parts: writable, denied: skipped, stores };
}

async function run(tools: ApplyTools, task: Task): Promise<void> {
  const { change, parts, denied, stores } = task;
  const edited = parts.filter(hasUnsavedEdits);
  const free = parts.filter((part) => !edited.includes(part));
  const plan = await readPlan(stores, free, change);
  const problems = await readProblems(stores, plan);
  const question = previewQuestion(plan, problems, edited, denied);
  const applied =
    plan.changes.length > 0 ? await previewAndApply(tools, stores, plan, question, problems) : [];
  const others = await readOthers(stores, plan, change, applied.length > 0);
  const outcomes = [...applied, ...others.changes.map(changedSince)];
  const failed = [...plan.failed, ...others.failed];
  const { unchanged } = others;
  const report = applyReport({
    change,
    edited,
    denied,
    outcomes,
    plan: { ...plan, unchanged, failed },
  });
  const rest = [
    ...edited,
    ...failed.map(({ item }) => item),
    ...outcomes.filter(({ state }) => state !== 'done').map(({ item }) => item.part),
  ];
  await tools.reports.showReport(report, {
    retry: rest.length > 0 ? () => run(tools, { ...task, parts: rest, denied: [] }) : undefined,
  });
}

/**
 * Reads the unchanged parts again, because another user might have changed a part while the preview
 * was open.
 */
async function readOthers(
  stores: FleetStores,
  { unchanged }: ChangePlan,
  change: ConfigChange,
  wasOpen: boolean,
): Promise<ChangePlan> {
  const known = { changes: [], unchanged, failed: [] };
  if (!wasOpen || unchanged.length === 0) return known;
  // Even if the user cancels this read, the report must list the completed writes.
  return readPlan(stores, unchanged, change).catch(() => known);
}

function changedSince(item: PlannedChange): BulkOutcome<PlannedChange> {
  const message = vscode.l10n.t('The config has changed since it was loaded.');
  const error = new FleetError('conflict', message);
  return { item, state: 'failed', error };
}

function readPlan(
  stores: FleetStores,
  parts: readonly PartWithPath[],
  change: ConfigChange,
): Promise<ChangePlan> {
  return reading(vscode.l10n.t('Loading configs'), (signal, report) =>
    planChanges(stores, parts, change, {
      limit: CONCURRENT_CALLS,
      signal,
      l10n: vscode.l10n,
      onProgress: (done) => report(done, parts.length),
    }),
  );
}

/** Finds the problems that the changes would add. */
async function readProblems(stores: FleetStores, { changes }: ChangePlan): Promise<PlanProblems> {
  if (changes.length === 0) return new Map();
  return reading(vscode.l10n.t('Checking the changed configs'), (signal, report) =>
    findNewProblems(stores, changes, {
      signal,
      l10n: vscode.l10n,
      onProgress: (done) => report(done, changes.length),
    }),
  );
}

/** Shows the preview and applies the changes. Throws `canceled` if the user declines them. */
async function previewAndApply(
  tools: ApplyTools,
  { parts: store }: FleetStores,
  plan: ChangePlan,
  question: string,
  problems: PlanProblems,
): Promise<readonly BulkOutcome<PlannedChange>[]> {
  const label = applyLabel(machineCount(plan.changes));
  const marked = toDiagnostics(problems);
  const isConfirmed = await tools.previews.confirmChanges(plan.changes, question, label, marked);
  if (!isConfirmed) throw canceled();
  return working(label, plan.changes, (planned) => {
    if (hasUnsavedEdits(planned.part)) throw new FleetError('conflict', getUnsavedEditsMessage());
    return applyPlanned(store, planned, vscode.l10n);
  });
}

interface PartsItem extends vscode.QuickPickItem {
  readonly parts: readonly PartWithPath[];
}

/**
 * Returns the parts to change. If some of the selected parts aren't the main part of their machine,
 * prompts for the parts: only the selected parts, the main parts, or all parts. Throws `canceled`.
 */
async function pickParts(
  { sessions }: BulkTools,
  machines: readonly MachineWithPath[],
  selected: readonly ResourceTarget[],
): Promise<readonly PartWithPath[]> {
  const [first] = machines;
  if (!first) return [];
  const stores = sessions.stores(first.target.connectionId);
  const all = await reading(vscode.l10n.t('Loading parts'), (signal) =>
    listMachineParts(stores, machines, signal),
  );
  const main = all.filter((part) => part.main);
  if (main.length === all.length) return all;
  const ids = new Set(selected.flatMap((one) => (one.kind === 'part' ? [one.partId] : [])));
  const own = all.filter(({ target }) => ids.has(target.partId));
  const items: readonly PartsItem[] = [
    ...(own.length > 0
      ? [{ label: vscode.l10n.t('Only the Selected Parts ({0})', own.length), parts: own }]
      : []),
    { label: vscode.l10n.t('The Main Part of Each Machine ({0})', main.length), parts: main },
    { label: vscode.l10n.t('All Parts ({0})', all.length), parts: all },
  ];
  const chosen = await pickOne(items, {
    title: vscode.l10n.t('Apply Fragment or Patch to Machines'),
    placeholder: vscode.l10n.t('Some machines have several parts. Select the parts to change.'),
  });
  return chosen.parts;
}
