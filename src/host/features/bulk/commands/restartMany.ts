import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import { unfinishedItems } from '../../../../core/bulk/bulkRun';
import type {
  LocationTarget,
  MachineTarget,
  PartTarget,
} from '../../../../core/model/resourceTarget';
import {
  listMachineParts,
  machinesIn,
  type MachineWithPath,
} from '../../../../core/stores/findMachines';
import type { Selection } from '../../../../manifest/commandArguments';
import { reading, working } from '../../../platform/commands/progress';
import { confirm } from '../../../platform/prompts/prompts';
import { notifyManyRestarts, watchRestarts } from '../../../platform/commands/watchRestarts';
import { createReport, type ReportedProblem } from '../../../platform/commands/bulkReports';
import {
  type BulkTools,
  describeSkipped,
  formatTarget,
  formatTargetCounts,
  getCommandTargets,
  ofKinds,
  organizationNames,
  withRight,
} from '../bulkTargets';

/**
 * Maximum number of parts to track. Each tracked part requires a call every few seconds. If there
 * are more parts, only the requests are reported.
 */
const MAX_TRACKED = 50;

/** Restarts the selected parts, and all parts of the selected machines and locations. */
export async function restartMany(tools: BulkTools, selection: Selection): Promise<void> {
  const chosen = ofKinds(
    getCommandTargets(tools, selection),
    ['location', 'machine', 'part'],
    vscode.l10n.t('In the Fleet view, first select the parts, machines, or locations to restart.'),
  );
  const all = await listParts(tools, chosen.fitting);
  const { fitting: parts, skipped: denied } = await withRight(tools, all, 'control');
  const skipped = [...chosen.skipped, ...denied];
  const owners = vscode.l10n.t('They belong to {0}.', await organizationNames(tools, parts));
  const machines = new Set(parts.map(({ machineId }) => machineId)).size;
  await confirm(
    machines === 1
      ? vscode.l10n.t('Restart {0} of 1 machine?', formatTargetCounts(parts))
      : vscode.l10n.t('Restart {0} of {1} machines?', formatTargetCounts(parts), machines),
    [
      ...describeSkipped(skipped),
      owners,
      vscode.l10n.t("Each machine stops what it's doing and restarts the next time it checks in."),
    ].join(' '),
    vscode.l10n.t('Restart'),
  );
  await restart(tools, parts, { skipped, owners });
}

interface RestartContext {
  readonly skipped: readonly ReportedProblem[];
  /** Sentence about the parts' organizations. */
  readonly owners: string;
}

async function restart(
  tools: BulkTools,
  parts: readonly PartTarget[],
  { skipped, owners }: RestartContext,
): Promise<void> {
  const title = vscode.l10n.t('Restart {0}', formatTargetCounts(parts));
  const outcomes = await working(title, parts, ({ connectionId, partId }) =>
    tools.sessions.stores(connectionId).parts.markForRestart(partId),
  );
  const rest = unfinishedItems(outcomes);
  await tools.reports.showReport(
    { ...createReport(title, outcomes, formatTarget), details: owners, skipped },
    { retry: rest.length > 0 ? () => restart(tools, rest, { skipped: [], owners }) : undefined },
  );
  const marked = outcomes.filter(({ state }) => state === 'done').map(({ item }) => item);
  if (marked.length === 0 || marked.length > MAX_TRACKED) return;
  notifyManyRestarts(title, await watchRestarts(tools.sessions, title, marked));
}

/**
 * Returns the parts to restart. Includes each part only once, even if it is selected together with
 * its machine.
 */
async function listParts(
  { sessions }: BulkTools,
  targets: readonly (LocationTarget | MachineTarget | PartTarget)[],
): Promise<readonly PartTarget[]> {
  const parts = targets.filter((target) => target.kind === 'part');
  const machines = targets.filter((target) => target.kind === 'machine');
  const locations = targets.filter((target) => target.kind === 'location');
  const inside = await reading(vscode.l10n.t('Loading parts'), async (signal) => {
    const machinesWithPath: MachineWithPath[] = machines.map((target) => ({ target, path: [] }));
    for (const location of locations) {
      machinesWithPath.push(
        ...(await machinesIn(sessions.stores(location.connectionId), location, signal)),
      );
    }
    // A tree shows only one connection, so the first target determines the connection.
    const [first] = machinesWithPath;
    return first
      ? listMachineParts(sessions.stores(first.target.connectionId), machinesWithPath, signal)
      : [];
  });
  const all = [...parts, ...inside.map(({ target }) => target)];
  if (all.length === 0) {
    throw new FleetError('notFound', vscode.l10n.t('There is nothing to restart here.'));
  }
  return [...new Map(all.map((part) => [part.partId, part])).values()];
}
