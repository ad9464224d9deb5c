import * as vscode from 'vscode';
import type { ChangePlan, PlacedPart, PlannedChange } from '../../../../core/bulk/changePlan';
import { listText } from '../bulkTools';
import { targetText } from '../targetText';

/** More names than these are only counted. */
const MOST_NAMED = 3;

export function machineCount(changes: readonly PlannedChange[]): number {
  return new Set(changes.map(({ part }) => part.target.machineId)).size;
}

/** The words of the button that writes, which also name the preview. */
export function applyLabel(machines: number): string {
  return machines === 1
    ? vscode.l10n.t('Apply to 1 Machine')
    : vscode.l10n.t('Apply to {0} Machines', machines);
}

/** What a person decides on, with what is left out and why. */
export function previewQuestion(plan: ChangePlan, edited: readonly PlacedPart[]): string {
  const { changes, unchanged, failed } = plan;
  return [
    changes.length === 1
      ? vscode.l10n.t('1 config changes as shown. Nothing is written yet.')
      : vscode.l10n.t('{0} configs change as shown. Nothing is written yet.', changes.length),
    ...(unchanged.length > 0
      ? [vscode.l10n.t('{0} are as wanted already.', unchanged.length)]
      : []),
    ...(failed.length > 0
      ? [
          vscode.l10n.t(
            'These cannot take the change: {0}.',
            namesText(failed.map(({ item }) => item)),
          ),
        ]
      : []),
    ...(edited.length > 0
      ? [vscode.l10n.t('Left out for their unsaved edits: {0}.', namesText(edited))]
      : []),
  ].join(' ');
}

function namesText(parts: readonly PlacedPart[]): string {
  const named = parts.slice(0, MOST_NAMED).map(({ target }) => targetText(target));
  const more = parts.length - named.length;
  return listText(more > 0 ? [...named, vscode.l10n.t('{0} more', more)] : named);
}
