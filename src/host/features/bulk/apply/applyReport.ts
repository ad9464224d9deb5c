import * as vscode from 'vscode';
import type { FleetError } from '../../../../core/api/errors';
import type { BulkOutcome } from '../../../../core/bulk/bulkRun';
import type { ChangePlan, PlannedChange } from '../../../../core/bulk/changePlan';
import type { ConfigChange } from '../../../../core/bulk/configChange';
import { toDisplayText } from '../../../../core/model/toDisplayText';
import type { PartWithPath } from '../../../../core/stores/machinesInScope';
import { type BulkReport, type ReportedProblem, createReport } from '../../../platform/bulkReport';
import { formatTarget } from '../formatTarget';
import { getUnsavedEditsMessage } from './dirtyParts';

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
export function applyReport({
  change,
  plan,
  edited,
  denied: refused,
  outcomes,
}: Applied): BulkReport {
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
      ...refused,
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
