import * as vscode from 'vscode';
import { Disposable } from '../../base/disposable';
import type { Clock } from '../../core/ports';
import { setContextKey } from './contextKeys';
import type { BulkDocuments } from './bulkDocuments';
import { type BulkReport, isClean, formatReport, formatSummary } from './bulkReport';

/** Retries what a report lists as not done. */
export type RetryRun = () => Promise<void>;

/** Actions available after a bulk action. */
export interface AfterRun {
  /** Retries what was not done; absent if everything was done. */
  readonly retry?: RetryRun | undefined;
  /** Undoes the action; absent if that is not possible. */
  readonly undo?: (() => Promise<void>) | undefined;
}

/** Reports the results of bulk actions: in a message, and in a document on request. */
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

  /** Reports the result. Problems are immediately shown in a document that names each resource. */
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

  /** Retries what the active report lists as not done. */
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

  /** The work of a report is retried once: the retry has its own report. */
  private async retry(uri: vscode.Uri): Promise<void> {
    const run = this.retries.get(uri.toString());
    if (!run) return;
    this.retries.delete(uri.toString());
    this.update();
    try {
      await run();
    } catch (error) {
      // The retry failed, for example because of a sign-out: it can be tried again.
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
