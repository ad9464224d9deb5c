import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { canceled, FleetError, isCanceled, toFleetError } from '../../../core/api/errors';
import type { ExportOutcome, FailedContent } from '../../../core/data/datasets/exportDataset';
import { safeSegment } from '../../../core/documents/documentAddress';
import type { BinaryItem } from '../../../core/model/binaryItem';
import { datasetFilter } from '../../../core/model/captureFilter';
import { displayName, toDisplayText } from '../../../core/model/displayText';
import { isoMicros } from '../../../core/model/timestamp';
import type { DatasetTarget } from '../../../core/model/resourceTarget';
import type { Sleep } from '../../../core/ports';
import type { BulkReports } from '../../platform/commands/bulkReports';
import { describeFolderError } from '../../platform/files/describeFolderError';
import type { FleetTools } from '../../platform/fleetTools';
import { reading } from '../../platform/commands/progress';
import { formatBytes, formatNumber } from '../../platform/text/displayText';
import { resolveTarget } from '../../platform/prompts/resolveTarget';
import { LINES_FILE, writeDataset } from './writeDataset';

export interface ExportTools extends FleetTools {
  readonly reports: BulkReports;
  readonly sleep: Sleep;
}

/**
 * Exports a dataset to a folder that the user selects: one line of JSON for each item, and the
 * items' contents.
 */
export async function exportToFolder(
  tools: ExportTools,
  requestedTarget: DatasetTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'dataset', requestedTarget, 'readData');
  const { organizationId, datasetId } = target;
  const total = await stores.binaryData.count(datasetFilter(organizationId, datasetId));
  const name = displayName({ name: target.name, id: datasetId });
  if (total.count === 0) {
    const message = vscode.l10n.t(
      'There is nothing to export: "{0}" is empty. Add items to it in the data browser.',
      name,
    );
    throw new FleetError('invalid', message);
  }
  const title = vscode.l10n.t(
    'Select a folder for {0} items ({1}) of "{2}"',
    formatNumber(total.count),
    formatBytes(total.bytes),
    name,
  );
  const parent = await pickFolder(title);
  const path = join(
    parent.fsPath,
    safeSegment(target.name.trim() === '' ? datasetId : target.name),
  );
  await run(tools, target, { path, count: total.count });
}

async function pickFolder(title: string): Promise<vscode.Uri> {
  const chosen = await vscode.window.showOpenDialog({
    title,
    openLabel: vscode.l10n.t('Export Here'),
    canSelectFiles: false,
    canSelectFolders: true,
    canSelectMany: false,
    defaultUri: vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir()),
  });
  const folder = chosen?.[0];
  if (!folder) throw canceled();
  if (folder.scheme === 'file') return folder;
  const message = vscode.l10n.t(
    'Datasets can only be saved on this computer. Select a local folder.',
  );
  throw new FleetError('unsupported', message);
}

interface Destination {
  readonly path: string;
  /** Number of items at the time of the prompt. */
  readonly count: number;
}

async function run(
  tools: ExportTools,
  target: DatasetTarget,
  destination: Destination,
): Promise<void> {
  const { path, count } = destination;
  // Uses the current connection's stores, because an export retry can outlive a sign-out.
  const { binaryData } = tools.sessions.stores(target.connectionId);
  const name = displayName({ name: target.name, id: target.datasetId });
  const title = vscode.l10n.t('Export dataset "{0}"', name);
  const outcome = await reading(title, async (signal, report) => {
    try {
      return await writeDataset(binaryData, target, path, {
        describeError: describeFolderError,
        sleep: tools.sleep,
        signal,
        l10n: vscode.l10n,
        onProgress: ({ items }) => report(Math.min(items, count), count),
      });
    } catch (error) {
      if (signal.aborted || isCanceled(error)) throw canceled();
      throw failure(path, error);
    }
  });
  if (outcome.failed.length === 0) {
    void offerToOpen(path, outcome);
    return;
  }
  await tools.reports.showReport(
    {
      title,
      details: vscode.l10n.t(
        'Exported to {0}. Failed items are excluded from {1} because training scripts would fail on them.',
        toDisplayText(path),
        LINES_FILE,
      ),
      done: outcome.exported,
      unchanged: 0,
      skipped: [],
      notStarted: 0,
      failed: outcome.failed.map(toReportedProblem),
    },
    // The export skips existing files.
    { retry: () => run(tools, target, destination) },
  );
}

function failure(path: string, cause: unknown): FleetError {
  const { kind, message: reason, action } = toFleetError(cause);
  const message = vscode.l10n.t(
    'Couldn\'t write the dataset to "{0}". {1} To resume, export to the same folder again.',
    toDisplayText(path),
    reason,
  );
  return new FleetError(kind, message, { cause, action });
}

function toReportedProblem({ item, error }: FailedContent): {
  readonly name: string;
  readonly reason: string;
} {
  return { name: formatItem(item), reason: error.message };
}

function formatItem({ at, fileName, fileExtension, source, id }: BinaryItem): string {
  const name = toDisplayText((fileName || source.componentName || id) + fileExtension);
  return `${name} (${isoMicros(at)}, ${toDisplayText(id)})`;
}

async function offerToOpen(path: string, { exported }: ExportOutcome): Promise<void> {
  const open = vscode.l10n.t('Open {0}', LINES_FILE);
  const where = toDisplayText(path);
  const message =
    exported === 1
      ? vscode.l10n.t('Exported 1 item to {0}.', where)
      : vscode.l10n.t('Exported {0} items to {1}.', formatNumber(exported), where);
  if ((await vscode.window.showInformationMessage(message, open)) !== open) return;
  await vscode.window.showTextDocument(vscode.Uri.file(join(path, LINES_FILE)));
}
