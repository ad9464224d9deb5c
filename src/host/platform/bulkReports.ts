import * as vscode from 'vscode';
import { Disposable } from '../../base/disposable';
import type { Clock } from '../../core/ports';
import { setContextKey } from './contextKeys';
import type { BulkDocuments } from './bulkDocuments';
import { type BulkReport, isClean, formatReport, formatSummary } from './bulkReport';

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

  /** Retries the failed or unfinished resources of the report in the active editor. */
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
   * Runs the retry of a report. A report can be retried only once, because the retry has its own
   * report.
   */
  private async retry(uri: vscode.Uri): Promise<void> {
    const run = this.retries.get(uri.toString());
    if (!run) return;
    this.retries.delete(uri.toString());
    this.update();
    try {
      await run();
    } catch (error) {
      // The retry failed, for example because the user has signed out, so the user can repeat it.
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
