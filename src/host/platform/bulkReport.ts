import * as vscode from 'vscode';
import type { FleetError } from '../../core/api/errors';
import type { BulkOutcome } from '../../core/bulk/bulkRun';
import { formatDateTimeWithSeconds } from './formatDateTime';
import { formatNumber } from './quantityText';

/** Skipped or failed resource, and the reason. */
export interface ReportedProblem {
  readonly name: string;
  readonly reason: string;
}

/** Names of resources, or their number if there are too many to list. */
export type Names = readonly string[] | number;

/** Result of a bulk action, formatted for display. */
export interface BulkReport {
  /** Description of the action, such as `Restart 12 parts`. */
  readonly title: string;
  /** Additional lines below the title, such as the applied patch. */
  readonly details?: string;
  readonly done: Names;
  /** Resources that needed no change. */
  readonly unchanged: Names;
  readonly failed: readonly ReportedProblem[];
  /** Resources that were intentionally skipped. */
  readonly skipped: readonly ReportedProblem[];
  /** Resources that were not started or not completed when the user canceled. */
  readonly notStarted: Names;
}

/** Converts the outcomes of a run to a report. */
export function createReport<T>(
  title: string,
  outcomes: readonly BulkOutcome<T>[],
  getName: (item: T) => string,
  getReason: (error: FleetError) => string = ({ message }) => message,
): BulkReport {
  const named = (state: BulkOutcome<T>['state']): readonly string[] =>
    outcomes.filter((outcome) => outcome.state === state).map(({ item }) => getName(item));
  return {
    title,
    done: named('done'),
    unchanged: [],
    failed: outcomes
      .filter((outcome) => outcome.state === 'failed')
      .map(({ item, error }) => ({ name: getName(item), reason: getReason(error) })),
    skipped: [],
    notStarted: named('notStarted'),
  };
}

/** Returns true if the action succeeded for all resources. */
export function isClean({ failed, skipped, notStarted }: BulkReport): boolean {
  return failed.length + skipped.length + getCount(notStarted) === 0;
}

/** Formats the action and its result in one sentence. */
export function formatSummary(report: BulkReport): string {
  return `${report.title}: ${formatCounts(report)}.`;
}

function formatCounts({ done, unchanged, failed, skipped, notStarted }: BulkReport): string {
  return [
    vscode.l10n.t('{0} done', formatNumber(getCount(done))),
    ...counted(getCount(unchanged), (count) => vscode.l10n.t('{0} unchanged', count)),
    ...counted(failed.length, (count) => vscode.l10n.t('{0} failed', count)),
    ...counted(skipped.length, (count) => vscode.l10n.t('{0} skipped', count)),
    ...counted(getCount(notStarted), (count) => vscode.l10n.t('{0} not finished', count)),
  ].join(', ');
}

/** Formats the whole report as plain text, with problems first. */
export function formatReport(report: BulkReport, finished: Date): string {
  const time = formatDateTimeWithSeconds(finished);
  const head = [report.title, vscode.l10n.t('Finished {0}', time), formatCounts(report)];
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
  return counted(getCount(items), (count) => [title(count), ...lines].join('\n'));
}

function getCount(items: Names): number {
  return typeof items === 'number' ? items : items.length;
}

function counted(count: number, text: (count: string) => string): readonly string[] {
  return count > 0 ? [text(formatNumber(count))] : [];
}
