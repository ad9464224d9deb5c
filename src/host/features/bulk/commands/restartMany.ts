import * as vscode from 'vscode';
import { unfinishedItems } from '../../../../core/bulk/bulkRun';
import { forEachBounded } from '../../../../base/bounded';
import type { MachineTarget, PartTarget } from '../../../../core/model/resourceTarget';
import type { Selection } from '../../../../manifest/commands';
import { confirm } from '../../../platform/prompts';
import { type BulkTools, givenTargets, ofKinds, organizationNames } from '../bulkTools';
import { reportOf } from '../bulkReport';
import { notOfThatKind, skippedSentence } from '../skippedText';
import { countText, targetText } from '../targetText';
import { CONCURRENT_CALLS, reading, working } from '../withProgress';

/** Restarts the selected parts and all parts of the selected machines. */
export async function restartMany(tools: BulkTools, given: Selection): Promise<void> {
  const { fitting, skipped } = ofKinds(
    givenTargets(tools, given),
    ['machine', 'part'],
    vscode.l10n.t('Select the machines or parts to restart in the tree first.'),
  );
  const parts = await partsOf(tools, fitting);
  const machines = new Set(parts.map(({ machineId }) => machineId)).size;
  await confirm(
    machines === 1
      ? vscode.l10n.t('Restart {0} of 1 machine?', countText(parts))
      : vscode.l10n.t('Restart {0} of {1} machines?', countText(parts), machines),
    [
      ...skippedSentence(skipped),
      vscode.l10n.t('They belong to {0}.', await organizationNames(tools, parts)),
      vscode.l10n.t('Each restarts when it next asks the service, and stops what it is doing.'),
    ].join(' '),
    vscode.l10n.t('Restart'),
  );
  await restart(tools, parts, skipped);
}

async function restart(
  tools: BulkTools,
  parts: readonly PartTarget[],
  skipped: Parameters<typeof notOfThatKind>[0],
): Promise<void> {
  const title = vscode.l10n.t('Restart {0}', countText(parts));
  const outcomes = await working(title, parts, ({ connectionId, partId }) =>
    tools.sessions.stores(connectionId).parts.markForRestart(partId),
  );
  const rest = unfinishedItems(outcomes);
  await tools.reports.tell(
    { ...reportOf(title, outcomes, targetText), skipped: notOfThatKind(skipped) },
    rest.length > 0 ? () => restart(tools, rest, []) : undefined,
  );
}

/** Each part once, though it may be selected beside its machine. */
async function partsOf(
  { sessions }: BulkTools,
  targets: readonly (MachineTarget | PartTarget)[],
): Promise<readonly PartTarget[]> {
  const byId = new Map<string, PartTarget>();
  for (const target of targets) if (target.kind === 'part') byId.set(target.partId, target);
  const machines = targets.filter((target) => target.kind === 'machine');
  if (machines.length === 0) return [...byId.values()];
  await reading(vscode.l10n.t('Reading the parts'), async (signal, report) => {
    let done = 0;
    await forEachBounded(machines, CONCURRENT_CALLS, async (machine) => {
      const { parts } = sessions.stores(machine.connectionId);
      for (const { id, name } of await parts.list(machine.machineId, { signal, fresh: true })) {
        byId.set(id, { ...machine, kind: 'part', machineName: machine.name, partId: id, name });
      }
      report((done += 1), machines.length);
    });
  });
  return [...byId.values()];
}
