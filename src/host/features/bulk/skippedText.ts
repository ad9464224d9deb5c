import * as vscode from 'vscode';
import type { FleetTarget } from '../../../core/model/resourceTarget';
import type { ReportedProblem } from '../../platform/bulkReport';
import { formatTarget } from './formatTarget';

/** Returns report entries for selected resources that a command doesn't support. */
export function toUnsupportedProblems(targets: readonly FleetTarget[]): readonly ReportedProblem[] {
  return targets.map((target) => ({
    name: formatTarget(target),
    reason: vscode.l10n.t("This action doesn't support this kind of resource."),
  }));
}

/** Returns a sentence about skipped resources for a confirmation; empty if there are none. */
export function describeSkipped(skipped: readonly ReportedProblem[]): readonly string[] {
  if (skipped.length === 0) return [];
  return [
    skipped.length === 1
      ? vscode.l10n.t("1 other selected resource isn't affected.")
      : vscode.l10n.t("{0} other selected resources aren't affected.", skipped.length),
  ];
}
