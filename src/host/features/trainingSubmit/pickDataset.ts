import * as vscode from 'vscode';
import { DisposableSet } from '../../../base/disposable';
import { canceled, FleetError, isCanceled } from '../../../core/api/errors';
import { type DatasetReadiness, readReadiness } from '../../../core/data/datasets/datasetReadiness';
import { datasetFilter } from '../../../core/model/captureFilter';
import type { Dataset } from '../../../core/model/dataset';
import type { DatasetId } from '../../../core/model/ids';
import type { FleetStores } from '../../../core/stores/fleetStores';
import {
  findMissingRequirements,
  learnableLabels,
} from '../../../core/training/submit/missingRequirement';
import { TRAINING_TASKS, type TrainingJob } from '../../../core/model/trainingJob';
import {
  escapeIcons,
  formatList,
  formatNumber,
  toQuickPickText,
} from '../../platform/text/displayText';
import { formatModelTask } from '../../platform/text/registryText';
import { formatImageCount } from '../../platform/text/trainingText';
import type { SubmitTarget } from './submitTarget';
import type { DatasetTarget } from '../../../core/model/resourceTarget';
import type { SubmitSubject } from './submitSubject';

/**
 * Maximum number of items in a dataset whose readiness is checked for the list. Larger datasets are
 * checked after the user selects them.
 */
const MAX_SCANNED_ITEMS = 5_000;

interface DatasetItem extends vscode.QuickPickItem {
  readonly dataset: Dataset;
}

/**
 * Prompts for a dataset. Checks each dataset's readiness while the list is open, and shows the
 * result. Throws `canceled`, and `notFound` if the organization has no datasets.
 */
export async function pickDataset(
  { target, stores }: SubmitTarget,
  title: string,
  current?: DatasetId,
): Promise<Dataset> {
  const datasets = await stores.datasets.list(target.organizationId, { fresh: true });
  if (datasets.length === 0) {
    const message = vscode.l10n.t(
      'The organization "{0}" has no datasets. Add captured images to one in the data browser.',
      target.name,
    );
    throw new FleetError('notFound', message);
  }
  const owned = new DisposableSet();
  const leaving = new AbortController();
  owned.add({ dispose: () => leaving.abort() });
  const pick = owned.add(vscode.window.createQuickPick<DatasetItem>());
  pick.title = title;
  pick.placeholder = vscode.l10n.t('Select the dataset to train the model on');
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.items = datasets.map((dataset) => ({ label: toQuickPickText(dataset.name), dataset }));
  activate(pick, current);
  try {
    return await new Promise<Dataset>((resolve, reject) => {
      owned.add(
        pick.onDidAccept(() => {
          const [item] = pick.selectedItems;
          if (item) resolve(item.dataset);
        }),
      );
      owned.add(pick.onDidHide(() => reject(canceled())));
      pick.show();
      describe(pick, stores, leaving.signal).catch(reject);
    });
  } finally {
    owned.dispose();
  }
}

/**
 * Describes the datasets sequentially, because filling a list doesn't justify a high service load.
 */
async function describe(
  pick: vscode.QuickPick<DatasetItem>,
  stores: FleetStores,
  signal: AbortSignal,
): Promise<void> {
  pick.busy = true;
  for (const { dataset } of pick.items) {
    const detail = await readyLine(stores, dataset, signal);
    if (signal.aborted) return;
    const at = pick.activeItems[0]?.dataset.id;
    pick.keepScrollPosition = true;
    pick.items = pick.items.map((item) =>
      item.dataset.id === dataset.id ? { ...item, detail } : item,
    );
    activate(pick, at);
  }
  pick.busy = false;
}

/** Activates a dataset's row. Otherwise, VS Code would show the list without an active item. */
function activate(pick: vscode.QuickPick<DatasetItem>, id: DatasetId | undefined): void {
  const item = pick.items.find(({ dataset }) => dataset.id === id);
  if (item) pick.activeItems = [item];
}

async function readyLine(
  { binaryData }: FleetStores,
  { id: datasetId, organizationId }: Dataset,
  signal: AbortSignal,
): Promise<string> {
  try {
    const { count } = await binaryData.count(datasetFilter(organizationId, datasetId), signal);
    if (count > MAX_SCANNED_ITEMS) return vscode.l10n.t('{0} items', formatNumber(count));
    const options = { signal };
    return escapeIcons(
      formatReadiness(await readReadiness(binaryData, { organizationId, datasetId }, options)),
    );
  } catch (error) {
    if (isCanceled(error) || error instanceof FleetError) return '';
    throw error;
  }
}

function formatReadiness(readiness: DatasetReadiness): string {
  const images = formatImageCount(readiness.images);
  const ready = TRAINING_TASKS.filter((task) => {
    const labels = learnableLabels(readiness, task);
    return labels.length > 0 && findMissingRequirements(readiness, task, labels).length === 0;
  }).map(formatModelTask);
  return ready.length === 0
    ? vscode.l10n.t('{0}, not ready for training', images)
    : vscode.l10n.t('{0}, ready for: {1}', images, formatList(ready));
}

/**
 * Returns the current state of the job that is being resubmitted; undefined for a new job. Throws
 * `FleetError`.
 */
export async function findJob(
  { stores }: SubmitTarget,
  { job }: SubmitSubject,
): Promise<TrainingJob | undefined> {
  return job && stores.training.get(job);
}

/**
 * Returns the dataset: the clicked dataset, the job's dataset unless it was deleted, or a dataset
 * that the user selects.
 * @param title the submission's title
 */
export async function resolveDataset(
  submitTarget: SubmitTarget,
  { dataset }: SubmitSubject,
  job: TrainingJob | undefined,
  title: string,
): Promise<DatasetTarget> {
  if (dataset) return dataset;
  const { target, stores } = submitTarget;
  const all = job ? await stores.datasets.list(target.organizationId) : [];
  const ofJob = all.find(({ id }) => id === job?.datasetId);
  return datasetTarget(submitTarget, ofJob ?? (await pickDataset(submitTarget, title)));
}

/** Returns the name of the model for which a new version is trained; undefined to prompt for it. */
export function getModelName(
  { item }: SubmitSubject,
  job: TrainingJob | undefined,
): string | undefined {
  return job?.modelName ?? (item?.itemType === 'mlModel' ? item.name : undefined);
}

export function datasetTarget(
  { target: { connectionId, organizationId } }: SubmitTarget,
  { id, name }: Dataset,
): DatasetTarget {
  return { kind: 'dataset', connectionId, organizationId, datasetId: id, name };
}
