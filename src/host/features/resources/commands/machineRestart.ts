import * as vscode from 'vscode';
import { withToken } from '../../../../base/cancellation';
import { FleetError, toFleetError } from '../../../../core/api/errors';
import { displayText } from '../../../../core/model/displayText';
import type { PartSummary } from '../../../../core/model/entities';
import type { MachineTarget } from '../../../../core/model/resourceTarget';
import { owningOrganization } from '../../../../core/stores/owningOrganization';
import type { PartStore } from '../../../../core/stores/partStore';
import { belongsToText } from '../../../platform/belongsToText';
import { confirm } from '../../../platform/prompts';
import { showStatusMessage } from '../../../platform/statusMessage';
import { namesText } from '../namesText';
import { namesOf, resolveTarget, type ResourceTools } from '../resourceCommand';

interface Failure {
  readonly name: string;
  readonly error: FleetError;
}

/** Marks all parts of a machine for restart, after one confirmation. */
export async function restartMachine(
  tools: ResourceTools,
  given: MachineTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'machine', given, 'control');
  const [parts, organization] = await Promise.all([
    stores.parts.list(target.machineId, { fresh: true }),
    owningOrganization(stores, target),
  ]);
  await confirm(
    vscode.l10n.t('Restart the machine "{0}"?', target.name),
    [
      belongsToText(organization),
      parts.length === 1
        ? vscode.l10n.t('Its part restarts when it next asks the service, and stops what it does.')
        : vscode.l10n.t(
            'Its {0} parts restart when they next ask the service, and stop what they do: {1}.',
            parts.length,
            namesText(namesOf(parts)),
          ),
    ].join(' '),
    vscode.l10n.t('Restart'),
  );
  const { marked, failures } = await markAll(stores.parts, target, parts);
  if (failures.length > 0) throw failureReport(target, parts.length, failures);
  const message =
    marked === parts.length
      ? vscode.l10n.t('"{0}" restarts when it next asks the service.', target.name)
      : vscode.l10n.t('Cancelled: {0} of {1} parts restart.', marked, parts.length);
  showStatusMessage(message);
}

/** Marks part after part; one that fails does not keep the others from it. */
async function markAll(
  store: PartStore,
  { name }: MachineTarget,
  parts: readonly PartSummary[],
): Promise<{ readonly marked: number; readonly failures: readonly Failure[] }> {
  const failures: Failure[] = [];
  let marked = 0;
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Restarting "{0}"', name),
    cancellable: true,
  };
  await vscode.window.withProgress(options, (progress, token) =>
    withToken(token, async (signal) => {
      for (const part of parts) {
        if (signal.aborted) return;
        progress.report({ message: displayText(part.name), increment: 100 / parts.length });
        try {
          await store.markForRestart(part.id);
          marked += 1;
        } catch (error) {
          failures.push({ name: part.name, error: toFleetError(error) });
        }
      }
    }),
  );
  return { marked, failures };
}

function failureReport(
  { name }: MachineTarget,
  total: number,
  failures: readonly Failure[],
): FleetError {
  const [first] = failures;
  const reasons = failures.map(
    (failure) => `${displayText(failure.name)}: ${failure.error.message}`,
  );
  const message = vscode.l10n.t(
    '{0} of {1} parts of "{2}" could not be marked for restart. {3}',
    failures.length,
    total,
    name,
    reasons.join(' '),
  );
  return new FleetError(first?.error.kind ?? 'internal', message, {
    cause: first?.error,
    action: first?.error.action,
  });
}
