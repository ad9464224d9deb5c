import * as vscode from 'vscode';
import type { ChangePlan, PlannedChange } from '../../../../core/bulk/changePlan';
import type { PartWithPath } from '../../../../core/stores/machinesInScope';
import { formatNames } from '../../../platform/formatList';
import type { ReportedProblem } from '../../../platform/bulkReport';
import { formatTarget } from '../formatTarget';

/** Maximum number of names in a message. Further names are only counted. */
const MAX_LISTED = 3;

export function machineCount(changes: readonly PlannedChange[]): number {
  return new Set(changes.map(({ part }) => part.target.machineId)).size;
}

/**
 * Returns the label of the button that applies the changes, which is also part of the title of the
 * preview.
 */
export function applyLabel(machines: number): string {
  return machines === 1
    ? vscode.l10n.t('Apply to 1 Machine')
    : vscode.l10n.t('Apply to {0} Machines', machines);
}

/**
 * Returns the confirmation question for the preview, including the skipped parts and the reasons
 * for skipping them.
 */
export function previewQuestion(
  plan: ChangePlan,
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
    ...(unchanged.length > 0
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
