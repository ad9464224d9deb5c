import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { abandonAfterAbort } from '../../../../base/abandonAfterAbort';
import { FleetError, isCanceled, toFleetError } from '../../../../core/api/errors';
import {
  type BulkTarget,
  type FailedItem,
  findNotStarted,
  getItemCount,
  type NotStartedItems,
} from '../../../../core/data/actions/bulkAction';
import { readTargetPages } from '../../../../core/data/actions/targetPages';
import { Downloads, type DownloadProgress } from '../../../../core/data/download/downloads';
import type { BinaryDataId } from '../../../../core/model/ids';
import type { Sleep } from '../../../../core/ports';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import type { BulkReports } from '../../../platform/commands/bulkReports';
import { describeFolderError } from '../../../platform/files/describeFolderError';
import { NodeDownloadFolder } from '../../../platform/files/downloadFolder';
import { trackProgress } from '../../../platform/commands/progress';
import { formatBytes, formatNumber } from '../../../platform/text/displayText';

import { formatItemsByOrganization, reportedName, reportedNames } from './actionMessages';

export interface DownloadTools {
  /** Returns the current connection's stores, because a download retry can outlive a sign-out. */
  readonly stores: () => FleetStores;
  readonly reports: BulkReports;
  readonly sleep: Sleep;
}

/** Result of a download. */
interface Downloaded {
  readonly done: number;
  readonly failed: readonly FailedItem[];
  readonly notStarted: NotStartedItems;
  /** Error that ended the download early, unless it was canceled. */
  readonly broken: FleetError | undefined;
}

/** Downloads items to a folder that the user selects. Throws `FleetError`. */
export async function downloadItems(tools: DownloadTools, target: BulkTarget): Promise<void> {
  const counted = await formatItemsByOrganization(tools.stores(), target);
  const title = vscode.l10n.t('Download {0}', counted);
  const [chosen] =
    (await vscode.window.showOpenDialog({
      title,
      openLabel: vscode.l10n.t('Download Here'),
      canSelectFiles: false,
      canSelectFolders: true,
      defaultUri: vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir()),
    })) ?? [];
  if (!chosen) return;
  if (chosen.scheme !== 'file') {
    throw new FleetError('unsupported', vscode.l10n.t('Select a folder on this computer.'));
  }
  await download(tools, target, chosen, title);
}

async function download(
  tools: DownloadTools,
  target: BulkTarget,
  to: vscode.Uri,
  title: string,
): Promise<void> {
  const { sleep } = tools;
  const { done, failed, notStarted, broken } = await trackProgress(title, (signal, report) =>
    abandonAfterAbort(fetchAll(tools, target, to, signal, report), { signal, sleep }),
  );
  const missing = typeof notStarted === 'number' ? notStarted : notStarted.length;
  // The download skips existing files.
  const rest: BulkTarget =
    missing > 0 ? target : { kind: 'items', items: failed.map(({ item }) => item) };
  await tools.reports.showReport(
    {
      title,
      details: [
        vscode.l10n.t('Folder: {0}', to.fsPath),
        ...(broken ? [vscode.l10n.t('The action stopped early: {0}', broken.message)] : []),
      ].join('\n'),
      done,
      unchanged: 0,
      skipped: [],
      notStarted: reportedNames(notStarted),
      failed: failed.map(({ item, error }) => ({
        name: reportedName(item),
        reason: error.message,
      })),
    },
    { retry: failed.length + missing > 0 ? () => download(tools, rest, to, title) : undefined },
  );
}

async function fetchAll(
  { stores, sleep }: DownloadTools,
  target: BulkTarget,
  to: vscode.Uri,
  signal: AbortSignal,
  report: (message: string) => void,
): Promise<Downloaded> {
  const folder = await NodeDownloadFolder.open(to.fsPath, describeFolderError);
  const onProgress = ({ items, bytes }: DownloadProgress): void =>
    report(formatProgress(items, getItemCount(target), bytes));
  const store = stores().binaryData;
  const downloads = new Downloads({
    store,
    folder,
    sleep,
    signal,
    onProgress: atIntervals(onProgress),
    random: Math.random,
    l10n: vscode.l10n,
  });
  const failed: FailedItem[] = [];
  const processed = new Set<BinaryDataId>();
  let done = 0;
  const finish = (error: FleetError | undefined): Downloaded => {
    const notStarted = findNotStarted(target, { ids: processed, count: processed.size });
    return { done, failed, notStarted, broken: error };
  };
  try {
    for await (const page of readTargetPages(store, target, false, signal)) {
      for (const outcome of await downloads.fetch(page.items)) {
        if (outcome.state !== 'notStarted') processed.add(outcome.item.id);
        if (outcome.state === 'done') done += 1;
        if (outcome.state === 'failed') failed.push({ item: outcome.item, error: outcome.error });
      }
      if (downloads.broken) break;
    }
  } catch (thrown) {
    const error = toFleetError(thrown);
    if (done + failed.length === 0 && !isCanceled(error)) throw error;
    return finish(isCanceled(error) ? undefined : error);
  }
  return finish(downloads.broken);
}

function formatProgress(items: number, of: number, bytes: number): string {
  return vscode.l10n.t(
    '{0} of {1}, {2}',
    formatNumber(items),
    formatNumber(of),
    formatBytes(bytes),
  );
}

/** Throttles progress messages to ten per second, because VS Code renders each message. */
function atIntervals<T>(report: (value: T) => void): (value: T) => void {
  let next = 0;
  return (value) => {
    const now = performance.now();
    if (now < next) return;
    next = now + 100;
    report(value);
  };
}
