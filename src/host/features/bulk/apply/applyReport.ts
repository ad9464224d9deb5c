import * as vscode from 'vscode';
import type { FleetError } from '../../../../core/api/errors';
import type { BulkOutcome } from '../../../../core/bulk/bulkRun';
import type { ChangePlan, PlannedChange } from '../../../../core/bulk/changePlan';
import type { ConfigChange } from '../../../../core/bulk/configChange';
import { displayText } from '../../../../core/model/displayText';
import type { PlacedPart } from '../../../../core/stores/machinesInScope';
import { type BulkReport, type ReportedProblem, reportOf } from '../../../platform/bulkReport';
import { targetText } from '../targetText';
import { unsavedEditsText } from './dirtyParts';

export interface Applied {
  readonly change: ConfigChange;
  readonly plan: ChangePlan;
  /** Parts that were skipped because of unsaved edits. */
  readonly edited: readonly PlacedPart[];
  /** Parts that the key has no permission to change. */
  readonly refused: readonly ReportedProblem[];
  readonly outcomes: readonly BulkOutcome<PlannedChange>[];
}

/** Returns the report of a change to many configs. */
export function applyReport({ change, plan, edited, refused, outcomes }: Applied): BulkReport {
  const written = reportOf(titleOf(change), outcomes, ({ part }) => placedText(part), reasonText);
  const unread = plan.failed.map(({ item, error }) => ({
    name: placedText(item),
    reason: error.message,
  }));
  return {
    ...written,
    details: detailsOf(change),
    failed: [...written.failed, ...unread],
    unchanged: plan.unchanged.map(placedText),
    skipped: [
      ...edited.map((part) => ({ name: placedText(part), reason: unsavedEditsText() })),
      ...refused,
    ],
  };
}

function reasonText(error: FleetError): string {
  if (error.kind !== 'conflict' || error.message === unsavedEditsText()) return error.message;
  return vscode.l10n.t('It changed after the preview. Retry shows an updated diff.');
}

function titleOf(change: ConfigChange): string {
  switch (change.kind) {
    case 'addFragment':
      return vscode.l10n.t('Add Fragment "{0}"', change.fragmentName);
    case 'deployModule':
      return vscode.l10n.t('Deploy Module "{0}"', displayText(change.deployment.ids[0]));
    case 'mergePatch':
      return vscode.l10n.t('Apply Merge Patch');
  }
}

function detailsOf(change: ConfigChange): string {
  switch (change.kind) {
    case 'addFragment':
      return useText(change);
    case 'deployModule':
      return vscode.l10n.t('Version: {0}', displayText(change.deployment.version));
    case 'mergePatch':
      return change.patch.trim();
  }
}

function useText({ use }: Extract<ConfigChange, { readonly kind: 'addFragment' }>): string {
  return [
    vscode.l10n.t('Fragment ID: {0}', use.id),
    ...(use.prefix === '' ? [] : [vscode.l10n.t('Prefix: {0}', use.prefix)]),
    ...(use.variables === '' ? [] : [vscode.l10n.t('Variables: {0}', use.variables)]),
  ].join('\n');
}

/**
 * Formats a part with its parents; the machine is last in its path and comes before its own name.
 */
function placedText({ target, path }: PlacedPart): string {
  const above = path.slice(0, -1).map((name) => displayText(name));
  return `${targetText(target)} (${above.join(' › ')})`;
}
