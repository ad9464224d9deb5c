import * as vscode from 'vscode';
import type { DatasetReadiness } from '../../../core/data/datasets/datasetReadiness';
import type { DatasetTarget } from '../../../core/model/resourceTarget';
import type { TrainableModels } from '../../../core/training/submit/trainableModels';
import {
  findMissingRequirements,
  learnableLabels,
  severalLabels,
} from '../../../core/training/submit/missingRequirement';
import type { TrainingTask } from '../../../core/model/trainingJob';
import { escapeIcons, formatNames, toQuickPickText } from '../../platform/text/displayText';
import { formatModelTask } from '../../platform/text/registryText';
import { type MenuItem, showSettingsMenu } from '../../platform/prompts/showSettingsMenu';
import { datasetTarget, pickDataset } from './pickDataset';
import { pickLabels, pickTask } from './pickTask';
import {
  describeMissingRequirement,
  describeMissingRequirements,
  describeNothingToLearn,
  describeSkippedImages,
  loadReadiness,
} from './missingRequirements';
import { modelItems, type PlannedModel } from './submitPlan';
import type { SubmitTarget } from './submitTarget';
import { canceled } from '../../../core/api/errors';
import { datasetFilter } from '../../../core/model/captureFilter';
import { toDisplayText } from '../../../core/model/displayText';
import { PLACED_MIME_TYPES } from '../../../core/model/binaryItem';
import type { BinaryDataStore } from '../../../core/stores/binaryDataStore';
import type { FleetTools } from '../../platform/fleetTools';

/** Managed training job that is about to be submitted. */
export interface TrainingPlan extends PlannedModel {
  readonly dataset: DatasetTarget;
  readonly readiness: DatasetReadiness;
  readonly task: TrainingTask;
  readonly labels: readonly string[];
}

type Item = MenuItem<TrainingPlan>;

/** Shows the training settings until the user confirms them. Throws `canceled`. */
export function configureTraining(
  submitTarget: SubmitTarget,
  plan: TrainingPlan,
  models: TrainableModels,
): Promise<TrainingPlan> {
  const title = vscode.l10n.t('Train Model');
  const placeholder = vscode.l10n.t('Press Enter to submit, or select a setting to change');
  return showSettingsMenu(plan, title, placeholder, (settings) => [
    beginItem(settings),
    datasetItem(submitTarget, settings),
    taskItem(settings),
    labelsItem(settings),
    ...modelItems(settings, models),
  ]);
}

function beginItem({ readiness, task, labels, modelName, modelVersion }: TrainingPlan): Item {
  const problems = describeMissingRequirements(
    findMissingRequirements(readiness, task, labels),
    task,
  );
  return {
    label: vscode.l10n.t(
      'Train {0} {1}',
      toQuickPickText(modelName),
      toQuickPickText(modelVersion),
    ),
    iconPath: new vscode.ThemeIcon('play'),
    ...(problems !== '' && { detail: escapeIcons(vscode.l10n.t('Not ready: {0}', problems)) }),
  };
}

function datasetItem(submitTarget: SubmitTarget, plan: TrainingPlan): Item {
  return {
    label: vscode.l10n.t('Dataset: {0}', toQuickPickText(plan.dataset.name)),
    iconPath: new vscode.ThemeIcon('library'),
    change: async () => {
      const dataset = await pickDataset(
        submitTarget,
        vscode.l10n.t('Train Model'),
        plan.dataset.datasetId,
      );
      const { organizationId } = submitTarget.target;
      const readiness = await loadReadiness(submitTarget.stores, organizationId, dataset.id);
      const labels = learnableLabels(readiness, plan.task);
      const chosen = { ...plan, dataset: datasetTarget(submitTarget, dataset), readiness };
      return labels.length > 0 ? { ...chosen, labels } : chosen;
    },
  };
}

function taskItem(plan: TrainingPlan): Item {
  return {
    label: vscode.l10n.t('Task: {0}', formatModelTask(plan.task)),
    iconPath: new vscode.ThemeIcon('target'),
    change: async () => {
      const { readiness } = plan;
      const task = await pickTask(readiness, vscode.l10n.t('Train Model'));
      const learnable = learnableLabels(readiness, task);
      const labels = learnable.length > 0 ? learnable : plan.labels;
      return { ...plan, task, labels };
    },
  };
}

function labelsItem(plan: TrainingPlan): Item {
  const { readiness, task, labels } = plan;
  const several = severalLabels(readiness, task, labels);
  return {
    label: vscode.l10n.t('Labels: {0}', escapeIcons(formatNames(labels))),
    ...(several && { detail: escapeIcons(describeSkippedImages(several)) }),
    iconPath: new vscode.ThemeIcon('tag'),
    change: async () => ({
      ...plan,
      labels: await pickLabels(readiness, task, labels, vscode.l10n.t('Labels')),
    }),
  };
}

type Tools = Pick<FleetTools, 'commands'>;

/**
 * Prompts for confirmation before submitting a training job for which the dataset isn't ready.
 * Throws `canceled` if the user chooses to view the missing requirements.
 * @returns true if the user wants to submit the job anyway.
 */
export function confirmMissingRequirements(
  tools: Tools,
  { dataset, readiness, task, labels }: TrainingPlan,
): Promise<boolean> {
  const requirements = findMissingRequirements(readiness, task, labels);
  return confirmNotReady(
    tools,
    dataset,
    requirements.map((requirement) => describeMissingRequirement(requirement, task)),
  );
}

/**
 * Like {@link confirmMissingRequirements}, but for a training script. Its only known requirement is
 * that the dataset contains images.
 */
export async function confirmEmpty(
  tools: Tools,
  { binaryData }: { readonly binaryData: Pick<BinaryDataStore, 'count'> },
  dataset: DatasetTarget,
): Promise<boolean> {
  const { organizationId, datasetId, name } = dataset;
  const { images: mimeTypes } = PLACED_MIME_TYPES;
  const { count } = await binaryData.count({
    ...datasetFilter(organizationId, datasetId),
    mimeTypes,
  });
  const reasons = count > 0 ? [] : [describeNothingToLearn(toDisplayText(name), { images: 0 })];
  return confirmNotReady(tools, dataset, reasons);
}

async function confirmNotReady(
  { commands }: Tools,
  dataset: DatasetTarget,
  reasons: readonly string[],
): Promise<boolean> {
  if (reasons.length === 0) return true;
  const anyway = vscode.l10n.t('Submit Anyway');
  const show = vscode.l10n.t('Show Missing Requirements');
  const question = vscode.l10n.t(
    'The dataset "{0}" is not ready for this training job.',
    toDisplayText(dataset.name),
  );
  const options = { modal: true, detail: reasons.join('\n') };
  const answer = await vscode.window.showWarningMessage(question, options, show, anyway);
  if (answer !== show) return answer === anyway;
  await commands.execute('fleetwright.dataset.showReadiness', dataset);
  throw canceled();
}
