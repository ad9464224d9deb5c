import type * as vscode from 'vscode';
import type { Sleep } from '../../../base/clock';
import { Disposable } from '../../../base/disposable';

/** Debounces work for each document. Disposal cancels all pending work. */
export class DocumentDelays extends Disposable {
  private readonly pending = new Map<vscode.TextDocument, AbortController>();

  constructor(
    private readonly sleep: Sleep,
    private readonly delayMs: number,
  ) {
    super();
    this.register({ dispose: () => this.pending.forEach((delay) => delay.abort()) });
  }

  /**
   * Runs `work` after the delay. Cancels the document's pending work. Rejects if `work` fails,
   * unless it was canceled.
   */
  async run(document: vscode.TextDocument, work: () => Promise<void>): Promise<void> {
    this.cancel(document);
    const delay = new AbortController();
    this.pending.set(document, delay);
    try {
      await this.sleep(this.delayMs, delay.signal);
      await work();
    } catch (error) {
      if (!delay.signal.aborted) throw error;
    } finally {
      if (this.pending.get(document) === delay) this.pending.delete(document);
    }
  }

  /** Cancels a document's pending work. */
  cancel(document: vscode.TextDocument): void {
    this.pending.get(document)?.abort();
  }
}
