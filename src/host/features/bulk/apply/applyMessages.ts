import * as vscode from 'vscode';
import type { ChangePlan, ConfigChange, PlannedChange } from '../../../../core/bulk/changePlan';
import type { PartWithPath } from '../../../../core/stores/findMachines';
import { formatNames } from '../../../platform/text/displayText';
import {
  type BulkReport,
  createReport,
  type ReportedProblem,
} from '../../../platform/commands/bulkReports';
import { formatTarget } from '../bulkTargets';
import type { FleetError } from '../../../../core/api/errors';
import type { BulkOutcome } from '../../../../core/bulk/bulkRun';
import { toDisplayText } from '../../../../core/model/displayText';
import { configAddress } from '../../../../core/documents/documentTargets';
import { findOpenDocument } from '../../../platform/documents/documentUris';
import { describeProblems, type PlanProblems } from './changeProblems';

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
