import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import type { BulkOutcome } from '../../../../core/bulk/bulkRun';
import { displayName, toDisplayText } from '../../../../core/model/toDisplayText';
import type { PartSummary } from '../../../../core/model/entities';
import { getNames } from '../../../../core/model/resourceName';
import type { MachineTarget } from '../../../../core/model/resourceTarget';
import { partTarget } from '../../../../core/stores/machinesInScope';
import { owningOrganization } from '../../../../core/stores/owningOrganization';
import { formatOwner } from '../../../platform/formatOwner';
import type { FleetTools } from '../../../platform/fleetTools';
import { formatNames } from '../../../platform/formatList';
import { working } from '../../../platform/progress';
import { confirm } from '../../../platform/prompts';
import { resolveTarget } from '../../../platform/resolveTarget';
import { showStatusMessage } from '../../../platform/statusMessage';
import { notifyRestarts, watchRestarts } from '../../../platform/watchRestarts';

type Failed = Extract<BulkOutcome<PartSummary>, { readonly state: 'failed' }>;

/**
 * Requests a restart of all parts of a machine after one confirmation, and tracks the parts until
 * they are back online.
 */
export async function restartMachine(
  tools: FleetTools,
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
      formatOwner(organization),
      parts.length === 1
        ? vscode.l10n.t("Its part stops what it's doing and restarts the next time it checks in.")
        : vscode.l10n.t(
            'Its {0} parts ({1}) stop all activity and restart the next time they check in.',
            parts.length,
            formatNames(getNames(parts)),
          ),
    ].join(' '),
    vscode.l10n.t('Restart'),
  );
  const name = displayName({ name: target.name, id: target.machineId });
  const outcomes = await working(vscode.l10n.t('Restarting "{0}"', name), parts, ({ id }) =>
    stores.parts.markForRestart(id),
  );
  const failures = outcomes.filter((outcome) => outcome.state === 'failed');
  if (failures.length > 0) throw failureReport(target, parts.length, failures);
  const marked = outcomes.filter(({ state }) => state === 'done').map(({ item }) => item);
  if (marked.length < parts.length) {
    const { length } = marked;
    showStatusMessage(
      vscode.l10n.t('Canceled. {0} of {1} parts will restart.', length, parts.length),
    );
    return;
  }
  const targets = marked.map((part) => partTarget(target, part));
  notifyRestarts(
    await watchRestarts(tools.sessions, vscode.l10n.t('Restart of "{0}"', name), targets),
  );
}

function failureReport(
  { name }: MachineTarget,
  total: number,
  failures: readonly Failed[],
): FleetError {
  const [first] = failures;
  const reasons = failures.map(
    (failure) => `${toDisplayText(failure.item.name)}: ${failure.error.message}`,
  );
  const message = vscode.l10n.t(
    'Couldn\'t request a restart for {0} of {1} parts of "{2}". {3}',
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
