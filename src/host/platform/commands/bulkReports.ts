import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { Clock } from '../../../core/ports';
import { setContextKey } from './contextKeys';
import type { BulkDocuments } from '../documents/bulkDocuments';
import type { FleetError } from '../../../core/api/errors';
import type { BulkOutcome } from '../../../core/bulk/bulkRun';
import { formatDateTimeWithSeconds, formatNumber } from '../text/displayText';

/** Maximum number of items to list in each section of a report; the rest are only counted. */
const MAX_LISTED = 10_000;

/** Retries the resources that a report lists as failed or not started. */
export type RetryRun = () => Promise<void>;

/** Actions that the user can take after a bulk action. */
export interface AfterRun {
  /** Retries failed or unfinished resources; absent if all of them succeeded. */
  readonly retry?: RetryRun | undefined;
  /** Undoes the action; absent if the action can't be undone. */
  readonly undo?: (() => Promise<void>) | undefined;
}

/** Reports the results of bulk actions in a message and, on request, in a document. */
export class BulkReports extends Disposable {
  private readonly retries = new Map<string, RetryRun>();

  constructor(
    private readonly documents: BulkDocuments,
    private readonly clock: Clock,
    private readonly presentError: (error: unknown) => void,
  ) {
    super();
    this.register(vscode.window.onDidChangeActiveTextEditor(() => this.update()));
    this.update();
  }

  /**
   * Reports the result. If there are problems, immediately opens a document that names each
   * resource.
   */
  async showReport(report: BulkReport, after: AfterRun): Promise<void> {
    const { retry } = after;
    const uri = this.documents.add(
      formatReport(report, this.clock.now()),
      `${vscode.l10n.t('Report')}.txt`,
    );
    if (retry) this.retries.set(uri.toString(), retry);
    if (isClean(report)) {
      void this.offer(vscode.window.showInformationMessage, report, uri, after);
      return;
    }
    await show(uri);
    this.update();
    void this.offer(vscode.window.showWarningMessage, report, uri, after);
  }

  /** Retries the failed or unfinished resources from the report in the active editor. */
  async retryInFront(): Promise<void> {
    const uri = vscode.window.activeTextEditor?.document.uri;
    if (uri) await this.retry(uri);
  }

  private async offer(
    showMessage: (text: string, ...buttons: readonly string[]) => Thenable<string | undefined>,
    report: BulkReport,
    uri: vscode.Uri,
    { retry, undo }: AfterRun,
  ): Promise<void> {
    const back = vscode.l10n.t('Undo');
    const open = vscode.l10n.t('Show Report');
    const again = vscode.l10n.t('Retry Failed');
    const buttons = [...(undo ? [back] : []), ...(retry ? [again] : []), open];
    const chosen = await showMessage(formatSummary(report), ...buttons);
    try {
      if (chosen === open) await show(uri);
      if (chosen === again) await this.retry(uri);
      if (chosen === back) await undo?.();
    } catch (error) {
      this.presentError(error);
    }
  }

  /**
   * Retries the resources in a report. A report can be retried only once, because each retry
   * creates a new report.
   */
  private async retry(uri: vscode.Uri): Promise<void> {
    const run = this.retries.get(uri.toString());
    if (!run) return;
    this.retries.delete(uri.toString());
    this.update();
    try {
      await run();
    } catch (error) {
      // The retry failed, for example because the user has signed out. The user can retry again.
      this.retries.set(uri.toString(), run);
      this.update();
      throw error;
    }
  }

  private update(): void {
    const uri = vscode.window.activeTextEditor?.document.uri;
    setContextKey(
      'fleetwright.bulk.canRetry',
      uri !== undefined && this.retries.has(uri.toString()),
    );
  }
}

async function show(uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: false });
}

/** Resource in a report, or a group of resources that share a line. */
interface ReportedName {
  readonly name: string;
  /** Number of resources in the group; absent for a single resource. */
  readonly count?: number;
}

/** Skipped or failed resource, and the reason. */
export interface ReportedProblem extends ReportedName {
  readonly reason: string;
}

/** Resource names, or the number of resources if there are too many to list. */
export type Names = readonly (string | ReportedName)[] | number;

/** Result of a bulk action, formatted for display. */
export interface BulkReport {
  /** The action's description, such as `Restart 12 parts`. */
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

/** Converts a run's outcomes to a report. */
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
  return [failed, skipped, notStarted].every((resources) => getCount(resources) === 0);
}

/** Formats the action and its result in one sentence. */
export function formatSummary(report: BulkReport): string {
  return `${report.title}: ${formatCounts(report)}.`;
}

function formatCounts({ done, unchanged, failed, skipped, notStarted }: BulkReport): string {
  return [
    vscode.l10n.t('{0} done', formatNumber(getCount(done))),
    ...counted(getCount(unchanged), (count) => vscode.l10n.t('{0} unchanged', count)),
    ...counted(getCount(failed), (count) => vscode.l10n.t('{0} failed', count)),
    ...counted(getCount(skipped), (count) => vscode.l10n.t('{0} skipped', count)),
    ...counted(getCount(notStarted), (count) => vscode.l10n.t('{0} not started', count)),
  ].join(', ');
}

/** Formats the whole report as plain text, with problems first. */
export function formatReport(report: BulkReport, finished: Date): string {
  const time = formatDateTimeWithSeconds(finished);
  const head = [report.title, vscode.l10n.t('Finished {0}', time), formatCounts(report)];
  const { details } = report;
  const sections = [
    ...(details === undefined ? [] : [details]),
    ...problems(report.failed, (count) => vscode.l10n.t('Failed ({0})', count)),
    ...problems(report.skipped, (count) => vscode.l10n.t('Skipped ({0})', count)),
    ...names(report.notStarted, (count) => vscode.l10n.t('Not started ({0})', count)),
    ...names(report.done, (count) => vscode.l10n.t('Done ({0})', count)),
    ...names(report.unchanged, (count) => vscode.l10n.t('Unchanged ({0})', count)),
  ];
  return `${[head.join('\n'), ...sections].join('\n\n')}\n`;
}

function problems(
  items: readonly ReportedProblem[],
  title: (count: string) => string,
): readonly string[] {
  const lines = listLines(items, ({ name, reason }) => `${name}\n      ${reason}`);
  return counted(getCount(items), (count) => [title(count), ...lines].join('\n'));
}

function names(items: Names, title: (count: string) => string): readonly string[] {
  const lines =
    typeof items === 'number'
      ? []
      : listLines(items, (item) => (typeof item === 'string' ? item : item.name));
  return counted(getCount(items), (count) => [title(count), ...lines].join('\n'));
}

/** Formats the items in a section, up to a maximum number. */
function listLines<T>(items: readonly T[], format: (item: T) => string): readonly string[] {
  const lines = items.slice(0, MAX_LISTED).map((item) => `  ${format(item)}`);
  const more = items.length - lines.length;
  return more > 0 ? [...lines, `  ${vscode.l10n.t('… and {0} more', formatNumber(more))}`] : lines;
}

function getCount(items: Names): number {
  if (typeof items === 'number') return items;
  return items.reduce((sum, item) => sum + (typeof item === 'string' ? 1 : (item.count ?? 1)), 0);
}

function counted(count: number, text: (count: string) => string): readonly string[] {
  return count > 0 ? [text(formatNumber(count))] : [];
}
