import * as vscode from 'vscode';
import type { FleetError } from '../../core/api/errors';
import type { BulkOutcome } from '../../core/bulk/bulkRun';
import { secondText } from './momentText';
import { numberText } from './quantityText';

/** Something that was left out or went wrong. */
export interface ReportedProblem {
  readonly name: string;
  readonly reason: string;
}

/** The names of resources, or how many they are where there are too many to name. */
export type Names = readonly string[] | number;

/** What became of a run over many resources, in words. */
export interface BulkReport {
  /** What was done to what, such as `Restart 12 parts`. */
  readonly title: string;
  /** Further lines below the title, such as the patch that was applied. */
  readonly details?: string;
  readonly done: Names;
  /** Resources that were as wanted already. */
  readonly unchanged: Names;
  readonly failed: readonly ReportedProblem[];
  /** Resources that were passed over on purpose. */
  readonly skipped: readonly ReportedProblem[];
  /** Resources that were not started, or given up midway, when the user canceled. */
  readonly notStarted: Names;
}

/** Sorts the outcomes of a run into a report. */
export function reportOf<T>(
  title: string,
  outcomes: readonly BulkOutcome<T>[],
  nameOf: (item: T) => string,
  reasonOf: (error: FleetError) => string = ({ message }) => message,
): BulkReport {
  const named = (state: BulkOutcome<T>['state']): readonly string[] =>
    outcomes.filter((outcome) => outcome.state === state).map(({ item }) => nameOf(item));
  return {
    title,
    done: named('done'),
    unchanged: [],
    failed: outcomes
      .filter((outcome) => outcome.state === 'failed')
      .map(({ item, error }) => ({ name: nameOf(item), reason: reasonOf(error) })),
    skipped: [],
    notStarted: named('notStarted'),
  };
}

/** Whether all went as it should. */
export function isClean({ failed, skipped, notStarted }: BulkReport): boolean {
  return failed.length + skipped.length + countOf(notStarted) === 0;
}

/** What was done and how it went, in one sentence. */
export function summaryText(report: BulkReport): string {
  return `${report.title}: ${countsText(report)}.`;
}

function countsText({ done, unchanged, failed, skipped, notStarted }: BulkReport): string {
  return [
    vscode.l10n.t('{0} done', numberText(countOf(done))),
    ...counted(countOf(unchanged), (count) => vscode.l10n.t('{0} unchanged', count)),
    ...counted(failed.length, (count) => vscode.l10n.t('{0} failed', count)),
    ...counted(skipped.length, (count) => vscode.l10n.t('{0} skipped', count)),
    ...counted(countOf(notStarted), (count) => vscode.l10n.t('{0} not finished', count)),
  ].join(', ');
}

/** The whole report as plain text: what went wrong comes first. */
export function reportText(report: BulkReport, finished: Date): string {
  const time = secondText(finished);
  const head = [report.title, vscode.l10n.t('Finished {0}', time), countsText(report)];
  const { details } = report;
  const sections = [
    ...(details === undefined ? [] : [details]),
    ...problems(vscode.l10n.t('Failed ({0})', report.failed.length), report.failed),
    ...problems(vscode.l10n.t('Skipped ({0})', report.skipped.length), report.skipped),
    ...names(report.notStarted, (count) => vscode.l10n.t('Not finished ({0})', count)),
    ...names(report.done, (count) => vscode.l10n.t('Done ({0})', count)),
    ...names(report.unchanged, (count) => vscode.l10n.t('Unchanged ({0})', count)),
  ];
  return `${[head.join('\n'), ...sections].join('\n\n')}\n`;
}

function problems(title: string, items: readonly ReportedProblem[]): readonly string[] {
  const lines = items.map(({ name, reason }) => `  ${name}\n      ${reason}`);
  return items.length === 0 ? [] : [[title, ...lines].join('\n')];
}

function names(items: Names, title: (count: string) => string): readonly string[] {
  const lines = typeof items === 'number' ? [] : items.map((name) => `  ${name}`);
  return counted(countOf(items), (count) => [title(count), ...lines].join('\n'));
}

function countOf(items: Names): number {
  return typeof items === 'number' ? items : items.length;
}

function counted(count: number, text: (count: string) => string): readonly string[] {
  return count > 0 ? [text(numberText(count))] : [];
}
