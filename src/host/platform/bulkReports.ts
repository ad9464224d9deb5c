import * as vscode from 'vscode';
import { Disposable } from '../../base/disposable';
import type { Clock } from '../../core/ports';
import { setContextKey } from './contextKeys';
import type { BulkDocuments } from './bulkDocuments';
import { type BulkReport, isClean, reportText, summaryText } from './bulkReport';

/** Tries again what a report says was not done. */
export type RetryRun = () => Promise<void>;

/** What can be done after work on many resources. */
export interface AfterRun {
  /** Does again what was not done; absent when all is. */
  readonly retry?: RetryRun | undefined;
  /** Takes back what was done; absent when that is not possible. */
  readonly undo?: (() => Promise<void>) | undefined;
}

/** Tells what became of work on many resources: in a message, and in a document on request. */
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
   * Says how the work went. What went wrong is shown at once in a document that names each resource.
   */
  async tell(report: BulkReport, after: AfterRun): Promise<void> {
    const { retry } = after;
    const uri = this.documents.add(
      reportText(report, this.clock.now()),
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

  /** Does again what the report in front says was not done. */
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
    const chosen = await showMessage(summaryText(report), ...buttons);
    try {
      if (chosen === open) await show(uri);
      if (chosen === again) await this.retry(uri);
      if (chosen === back) await undo?.();
    } catch (error) {
      this.presentError(error);
    }
  }

  /** A report's work is tried again once: what comes of it has a report of its own. */
  private async retry(uri: vscode.Uri): Promise<void> {
    const run = this.retries.get(uri.toString());
    if (!run) return;
    this.retries.delete(uri.toString());
    this.update();
    try {
      await run();
    } catch (error) {
      // It came to nothing, as when nobody is signed in: it can still be tried.
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
