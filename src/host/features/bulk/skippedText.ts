import * as vscode from 'vscode';
import type { FleetTarget } from '../../../core/model/resourceTarget';
import type { ReportedProblem } from '../../platform/bulkReport';
import { targetText } from './targetText';

/** What a report says of selected resources the command has no meaning for. */
export function notOfThatKind(targets: readonly FleetTarget[]): readonly ReportedProblem[] {
  return targets.map((target) => ({
    name: targetText(target),
    reason: vscode.l10n.t("This action doesn't support this kind of resource."),
  }));
}

/** Says in a confirmation that some of the selection is left alone; empty when nothing is. */
export function skippedSentence(skipped: readonly ReportedProblem[]): readonly string[] {
  if (skipped.length === 0) return [];
  return [
    skipped.length === 1
      ? vscode.l10n.t("1 other selected resource isn't affected.")
      : vscode.l10n.t("{0} other selected resources aren't affected.", skipped.length),
  ];
}
