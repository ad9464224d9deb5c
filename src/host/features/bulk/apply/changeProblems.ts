import * as vscode from 'vscode';
import type { PlannedChange } from '../../../../core/bulk/changePlan';
import type { NewProblems } from '../../../../core/bulk/newProblems';
import type { ResolvedDiagnostic } from '../../../../core/configChecks/checkResolvedConfig';
import type { TextRange } from '../../../../core/documents/rejection';
import { toDisplayText } from '../../../../core/model/displayText';
import { createRangeFinder } from '../../../platform/documents/toRange';
import { formatNames } from '../../../platform/text/displayText';
import { formatTarget } from '../bulkTargets';

/** Problems that planned changes would add. */
export type PlanProblems = ReadonlyMap<PlannedChange, NewProblems>;

/** Maximum number of names in a message. Further names are only counted. */
const MAX_LISTED = 3;
/** Maximum number of configs whose problems are marked. VS Code lists about 1,000 problems. */
const MAX_MARKED = 200;

const SOURCE = 'Fleetwright';

/** Returns sentences about the problems that changes would add: their number, and the first one. */
export function describeProblems(problems: PlanProblems): readonly string[] {
  const [first] = problems;
  const [problem] = first?.[1].listed ?? [];
  if (!first || !problem) return [];
  const added = [...problems.values()];
  const count = added.reduce((sum, one) => sum + one.count, 0);
  const errorCount = added.reduce((sum, one) => sum + one.errorCount, 0);
  const names = formatNames(
    [...problems.keys()].map(({ part }) => formatTarget(part.target)),
    MAX_LISTED,
  );
  const message = formatMessage(problem);
  return [formatCounts(problems.size, count, names, message), formatErrors(errorCount)].filter(
    (text) => text !== '',
  );
}

function formatCounts(configs: number, count: number, names: string, message: string): string {
  if (configs > 1) {
    return vscode.l10n.t(
      'The change adds {0} problems to {1} configs: {2}. The first one is: {3}',
      count,
      configs,
      names,
      message,
    );
  }
  return count === 1
    ? vscode.l10n.t('The change adds a problem to {0}: {1}', names, message)
    : vscode.l10n.t(
        'The change adds {0} problems to {1}. The first one is: {2}',
        count,
        names,
        message,
      );
}

function formatErrors(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? vscode.l10n.t(
        "1 of these problems is an error: the service rejects the config, or the machine doesn't load it.",
      )
    : vscode.l10n.t(
        "{0} of these problems are errors: the service rejects the configs, or the machines don't load them.",
        count,
      );
}

/** Messages about fragments, which have no code, already consist of display texts. */
function formatMessage({ code, message }: ResolvedDiagnostic): string {
  return code === undefined ? message : toDisplayText(message);
}

/** Returns the diagnostics for the configs after the changes, for the first configs. */
export function toDiagnostics(
  problems: PlanProblems,
): ReadonlyMap<PlannedChange, vscode.Diagnostic[]> {
  return new Map(
    [...problems].slice(0, MAX_MARKED).map(([change, added]) => {
      const toRange = createRangeFinder(added.text);
      return [change, added.listed.map((one) => toDiagnostic(one, toRange))];
    }),
  );
}

function toDiagnostic(
  one: ResolvedDiagnostic,
  toRange: (range: TextRange) => vscode.Range,
): vscode.Diagnostic {
  const { Error: error, Warning: warning } = vscode.DiagnosticSeverity;
  const severity = one.severity === 'error' ? error : warning;
  const diagnostic = new vscode.Diagnostic(toRange(one), formatMessage(one), severity);
  diagnostic.source = SOURCE;
  if (one.code !== undefined) diagnostic.code = one.code;
  return diagnostic;
}
