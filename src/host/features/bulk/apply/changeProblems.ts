import * as vscode from 'vscode';
import type { PlannedChange } from '../../../../core/bulk/changePlan';
import type { NewProblem, NewProblems } from '../../../../core/bulk/newProblems';
import { findPathRange } from '../../../../core/documents/resolvedText';
import type { TextRange } from '../../../../core/documents/rejection';
import { toDisplayText } from '../../../../core/model/displayText';
import { formatResolveProblem } from '../../../platform/documents/formatResolveProblem';
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
  const message = formatNewProblem(problem, first[1]);
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
    ? vscode.l10n.t('1 of the problems is an error: the machine would reject its config.')
    : vscode.l10n.t(
        '{0} of the problems are errors: the machines would reject their configs.',
        count,
      );
}

function formatNewProblem(one: NewProblem, { getFragmentName }: NewProblems): string {
  return one.kind === 'config'
    ? toDisplayText(one.diagnostic.message)
    : formatResolveProblem(one.problem, getFragmentName);
}

/** Returns the diagnostics for the configs after the changes, for the first configs. */
export function toDiagnostics(
  problems: PlanProblems,
): ReadonlyMap<PlannedChange, vscode.Diagnostic[]> {
  return new Map(
    [...problems].slice(0, MAX_MARKED).map(([change, added]) => {
      const toRange = createRangeFinder(added.text);
      return [change, added.listed.map((one) => toDiagnostic(one, added, toRange))];
    }),
  );
}

function toDiagnostic(
  one: NewProblem,
  added: NewProblems,
  toRange: (range: TextRange) => vscode.Range,
): vscode.Diagnostic {
  const { Error: error, Warning: warning } = vscode.DiagnosticSeverity;
  const message = formatNewProblem(one, added);
  if (one.kind === 'fragments') {
    const range = toRange(findPathRange(added.text, one.problem.path));
    const diagnostic = new vscode.Diagnostic(range, message, warning);
    diagnostic.source = SOURCE;
    return diagnostic;
  }
  const { code, severity } = one.diagnostic;
  const range = toRange(one.diagnostic);
  const diagnostic = new vscode.Diagnostic(range, message, severity === 'error' ? error : warning);
  diagnostic.source = SOURCE;
  diagnostic.code = code;
  return diagnostic;
}

/** Returns a function that finds ranges in a text whose document isn't open. */
function createRangeFinder(text: string): (range: TextRange) => vscode.Range {
  const starts = [
    0,
    ...[...text.matchAll(/\r\n|\r|\n/g)].map(({ 0: end, index }) => index + end.length),
  ];
  const toPosition = (offset: number): vscode.Position => {
    const line = starts.findLastIndex((start) => start <= offset);
    return new vscode.Position(line, offset - (starts[line] ?? 0));
  };
  return ({ offset, length }) => new vscode.Range(toPosition(offset), toPosition(offset + length));
}
