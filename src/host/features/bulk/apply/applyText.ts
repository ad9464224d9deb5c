import * as vscode from 'vscode';
import type { ChangePlan, PlannedChange } from '../../../../core/bulk/changePlan';
import type { PlacedPart } from '../../../../core/stores/machinesInScope';
import { namesText } from '../../../platform/listText';
import type { ReportedProblem } from '../../../platform/bulkReport';
import { targetText } from '../targetText';

/** Maximum number of names in a message; more are only counted. */
const MOST_NAMED = 3;

export function machineCount(changes: readonly PlannedChange[]): number {
  return new Set(changes.map(({ part }) => part.target.machineId)).size;
}

/**
 * Returns the label of the button that applies the changes, also used as the title of the preview.
 */
export function applyLabel(machines: number): string {
  return machines === 1
    ? vscode.l10n.t('Apply to 1 Machine')
    : vscode.l10n.t('Apply to {0} Machines', machines);
}

/** Returns the question of the preview, with the skipped parts and the reasons. */
export function previewQuestion(
  plan: ChangePlan,
  edited: readonly PlacedPart[],
  refused: readonly ReportedProblem[],
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
      ? [vscode.l10n.t('{0} are already up to date.', unchanged.length)]
      : []),
    ...(failed.length > 0
      ? [
          vscode.l10n.t(
            "These can't be changed this way: {0}.",
            namesText(
              failed.map(({ item }) => targetText(item.target)),
              MOST_NAMED,
            ),
          ),
        ]
      : []),
    ...(edited.length > 0
      ? [
          vscode.l10n.t(
            'Skipped because of unsaved edits: {0}.',
            namesText(
              edited.map(({ target }) => targetText(target)),
              MOST_NAMED,
            ),
          ),
        ]
      : []),
    ...(refused.length > 0
      ? [
          vscode.l10n.t(
            "Skipped because you don't have permission: {0}.",
            namesText(
              refused.map(({ name }) => name),
              MOST_NAMED,
            ),
          ),
        ]
      : []),
  ].join(' ');
}
