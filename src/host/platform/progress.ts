import * as vscode from 'vscode';
import { withToken } from '../../base/cancellation';
import { type BulkOutcome, runBulk } from '../../core/bulk/bulkRun';

/** Calls at the same time: a service of many users has others to serve too. */
export const CONCURRENT_CALLS = 6;

/** Reads with a notification that can be cancelled; then it throws `cancelled`. */
export function reading<T>(
  title: string,
  work: (signal: AbortSignal, report: (done: number, of: number) => void) => Promise<T>,
): Promise<T> {
  let reported = 0;
  return showing(title, (signal, progress) =>
    work(signal, (done, of) => {
      progress.report({ message: countText(done, of), increment: (100 * (done - reported)) / of });
      reported = done;
    }),
  );
}

/** Works on all items with a notification that counts them and can be cancelled. */
export function working<T>(
  title: string,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<readonly BulkOutcome<T>[]> {
  const increment = 100 / items.length;
  return showing(title, (signal, progress) =>
    runBulk(items, work, {
      limit: CONCURRENT_CALLS,
      signal,
      onProgress: (done) => progress.report({ increment, message: countText(done, items.length) }),
    }),
  );
}

/**
 * Shows what is going on elsewhere, in words that change. Cancelling aborts the signal: the work ends by
 * itself then, and says how far it saw.
 */
export function following<T>(
  title: string,
  work: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
): Promise<T> {
  return showing(title, (signal, progress) =>
    work(signal, (message) => progress.report({ message })),
  );
}

type Progress = vscode.Progress<{ message?: string; increment?: number }>;

async function showing<T>(
  title: string,
  work: (signal: AbortSignal, progress: Progress) => Promise<T>,
): Promise<T> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, (progress, token) =>
    withToken(token, (signal) => work(signal, progress)),
  );
}

function countText(done: number, of: number): string {
  return vscode.l10n.t('{0} of {1}', done, of);
}
