import * as vscode from 'vscode';
import type { DatasetReadiness } from '../../../core/data/datasets/datasetReadiness';
import type { DatasetTarget } from '../../../core/model/resourceTarget';
import type { TrainableModels } from '../../../core/training/submit/trainableModels';
import {
  learnableLabels,
  severalLabels,
  findMissingRequirements,
} from '../../../core/training/submit/missingRequirement';
import type { TrainingTask } from '../../../core/model/trainingTask';
import { formatNames } from '../../platform/formatList';
import { escapeIcons, toQuickPickText } from '../../platform/toQuickPickText';
import { formatModelTask } from '../../platform/registryText';
import { type MenuItem, showSettingsMenu } from '../../platform/showSettingsMenu';
import { pickDataset } from './pickDataset';
import { pickLabels } from './pickLabels';
import { pickTask } from './pickTask';
import { describeMissingRequirements, describeSkippedImages } from './describeMissingRequirement';
import { modelItems, type PlannedModel } from './modelItems';
import { loadReadiness } from './loadReadiness';
import type { SubmitTarget } from './resolveSubmitTarget';
import { datasetTarget } from './submitStart';

/** Managed training that is about to be submitted. */
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
