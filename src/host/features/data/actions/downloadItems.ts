import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { FleetError, isCanceled, toFleetError } from '../../../../core/api/errors';
import type { FailedItem } from '../../../../core/data/actions/bulkAction';
import { pagesOf } from '../../../../core/data/actions/targetPages';
import { type BulkTarget, countOf } from '../../../../core/data/bulkTarget';
import { Downloads, type DownloadProgress } from '../../../../core/data/download/downloads';
import type { Sleep } from '../../../../core/ports';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import type { BulkReports } from '../../../platform/bulkReports';
import { folderWords } from '../../../platform/folderWords';
import { NodeDownloadFolder } from '../../../platform/nodeDownloadFolder';
import { following } from '../../../platform/progress';
import { bytesText, numberText } from '../../../platform/quantityText';

import { reportedName } from './actionReport';
import { itemsOfText } from './actionText';

export interface DownloadTools {
  /** Returns the stores of the current connection: the retry of a download outlives a sign-out. */
  readonly stores: () => FleetStores;
  readonly reports: BulkReports;
  readonly sleep: Sleep;
}

/** Result of a download. */
interface Downloaded {
  readonly done: number;
  readonly failed: readonly FailedItem[];
  /** Error that ended it early, unless it was canceled. */
  readonly broken: FleetError | undefined;
}

/** Downloads items to a folder that the user selects. Throws `FleetError`. */
export async function downloadItems(tools: DownloadTools, target: BulkTarget): Promise<void> {
  const counted = await itemsOfText(tools.stores(), target);
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
  const folder = await NodeDownloadFolder.open(to.fsPath, folderWords);
  const { done, failed, broken } = await following(title, (signal, report) =>
    fetchAll(tools, target, folder, signal, report),
  );
  const missing = Math.max(0, countOf(target) - done - failed.length);
  // Existing files are not downloaded again.
  const rest: BulkTarget =
    missing > 0 ? target : { kind: 'items', items: failed.map(({ item }) => item) };
  await tools.reports.tell(
    {
      title,
      details: [
        vscode.l10n.t('Folder: {0}', to.fsPath),
        ...(broken ? [vscode.l10n.t('It stopped early: {0}', broken.message)] : []),
      ].join('\n'),
      ...{ done, unchanged: 0, skipped: [], notStarted: missing },
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
  folder: NodeDownloadFolder,
  signal: AbortSignal,
  report: (message: string) => void,
): Promise<Downloaded> {
  const onProgress = ({ items, bytes }: DownloadProgress): void =>
    report(progressText(items, countOf(target), bytes));
  const store = stores().binaryData;
  const downloads = new Downloads({
    ...{ store, folder, sleep, signal, onProgress: atIntervals(onProgress) },
    random: Math.random,
  });
  const failed: FailedItem[] = [];
  let done = 0;
  try {
    for await (const page of pagesOf(store, target, false, signal)) {
      for (const outcome of await downloads.fetch(page.items)) {
        if (outcome.state === 'done') done += 1;
        if (outcome.state === 'failed') failed.push({ item: outcome.item, error: outcome.error });
      }
      if (downloads.broken) break;
    }
  } catch (thrown) {
    const error = toFleetError(thrown);
    if (done + failed.length === 0 && !isCanceled(error)) throw error;
    return { done, failed, broken: isCanceled(error) ? undefined : error };
  }
  return { done, failed, broken: downloads.broken };
}

function progressText(items: number, of: number, bytes: number): string {
  return vscode.l10n.t('{0} of {1}, {2}', numberText(items), numberText(of), bytesText(bytes));
}

/** VS Code renders each message: ten per second are enough. */
function atIntervals<T>(tell: (value: T) => void): (value: T) => void {
  let next = 0;
  return (value) => {
    const now = performance.now();
    if (now < next) return;
    next = now + 100;
    tell(value);
  };
}
