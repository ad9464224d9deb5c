import * as vscode from 'vscode';
import { withToken } from '../../../base/cancellation';
import { type BulkOutcome, runBulk } from '../../../core/bulk/bulkRun';
import { formatBytes } from '../text/displayText';

/**
 * Maximum number of concurrent calls. It is limited because the service might be shared with other
 * users.
 */
export const CONCURRENT_CALLS = 6;
/** Minimum time in milliseconds between byte progress reports. */
const MS_BETWEEN_REPORTS = 100;

/** Reads data with a cancelable notification. Throws `canceled` if the user cancels. */
export function reading<T>(
  title: string,
  work: (signal: AbortSignal, report: (done: number, of: number) => void) => Promise<T>,
): Promise<T> {
  let reported = 0;
  return showing(title, (signal, progress) =>
    work(signal, (done, of) => {
      progress.report({
        message: formatCount(done, of),
        increment: (100 * (done - reported)) / of,
      });
      reported = done;
    }),
  );
}

/** Processes all items with a cancelable notification that shows their number. */
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
      onProgress: (done) =>
        progress.report({ increment, message: formatCount(done, items.length) }),
    }),
  );
}

/**
 * Shows the progress of external work with changing messages. If the user cancels, aborts the
 * signal and waits until the work returns its last state.
 */
export function trackProgress<T>(
  title: string,
  work: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
): Promise<T> {
  return showing(title, (signal, progress) =>
    work(signal, (message) => progress.report({ message })),
  );
}

/**
 * Shows byte progress in a cancelable notification. The work calls `report` with the size of each
 * chunk; the total of these sizes can be less than `total`.
 */
export function measuring<T>(
  title: string,
  total: number,
  work: (signal: AbortSignal, report: (bytes: number) => void) => Promise<T>,
): Promise<T> {
  const of = formatBytes(total);
  let [done, shown, shownAt] = [0, 0, 0];
  return showing(title, (signal, progress) =>
    work(signal, (bytes) => {
      done += bytes;
      const now = Date.now();
      if (now - shownAt < MS_BETWEEN_REPORTS) return;
      shownAt = now;
      const increment = (100 * (done - shown)) / Math.max(total, 1);
      progress.report({ increment, message: vscode.l10n.t('{0} of {1}', formatBytes(done), of) });
      shown = done;
    }),
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

function formatCount(done: number, of: number): string {
  return vscode.l10n.t('{0} of {1}', done, of);
}
