import * as vscode from 'vscode';
import type { DatasetReadiness } from '../../../core/data/datasets/datasetReadiness';
import type { DatasetTarget } from '../../../core/model/resourceTarget';
import type { TrainableModels } from '../../../core/training/submit/trainableModels';
import {
  learnableLabels,
  severalLabels,
  trainingLacks,
} from '../../../core/training/submit/trainingLack';
import type { TrainingTask } from '../../../core/model/trainingTask';
import { namesText } from '../../platform/listText';
import { escapeIcons, quickText } from '../../platform/quickText';
import { modelTaskText } from '../../platform/registryText';
import { type MenuItem, settleIn } from '../../platform/settleIn';
import { askDataset } from './askDataset';
import { askLabels } from './askLabels';
import { askTask } from './askTask';
import { lacksText, passedOverText } from './lackText';
import { modelItems, type PlannedModel } from './modelItems';
import { readinessOf } from './readinessOf';
import type { SubmitPlace } from './submitPlace';
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
export function settleTraining(
  place: SubmitPlace,
  plan: TrainingPlan,
  models: TrainableModels,
): Promise<TrainingPlan> {
  const title = vscode.l10n.t('Train Model');
  const placeholder = vscode.l10n.t('Press Enter to submit, or select a setting to change');
  return settleIn(plan, title, placeholder, (settings) => [
    beginItem(settings),
    datasetItem(place, settings),
    taskItem(settings),
    labelsItem(settings),
    ...modelItems(settings, models),
  ]);
}

function beginItem({ readiness, task, labels, modelName, modelVersion }: TrainingPlan): Item {
  const lacks = lacksText(trainingLacks(readiness, task, labels), task);
  return {
    label: vscode.l10n.t('Train {0} {1}', quickText(modelName), quickText(modelVersion)),
    iconPath: new vscode.ThemeIcon('play'),
    ...(lacks !== '' && { detail: escapeIcons(vscode.l10n.t('Not ready: {0}', lacks)) }),
  };
}

function datasetItem(place: SubmitPlace, plan: TrainingPlan): Item {
  return {
    label: vscode.l10n.t('Dataset: {0}', quickText(plan.dataset.name)),
    iconPath: new vscode.ThemeIcon('library'),
    change: async () => {
      const dataset = await askDataset(place, vscode.l10n.t('Train Model'), plan.dataset.datasetId);
      const { organizationId } = place.target;
      const readiness = await readinessOf(place.stores, organizationId, dataset.id);
      const labels = learnableLabels(readiness, plan.task);
      const chosen = { ...plan, dataset: datasetTarget(place, dataset), readiness };
      return labels.length > 0 ? { ...chosen, labels } : chosen;
    },
  };
}

function taskItem(plan: TrainingPlan): Item {
  return {
    label: vscode.l10n.t('Task: {0}', modelTaskText(plan.task)),
    iconPath: new vscode.ThemeIcon('target'),
    change: async () => {
      const { readiness } = plan;
      const task = await askTask(readiness, vscode.l10n.t('Train Model'));
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
    label: vscode.l10n.t('Labels: {0}', escapeIcons(namesText(labels))),
    ...(several && { detail: escapeIcons(passedOverText(several)) }),
    iconPath: new vscode.ThemeIcon('tag'),
    change: async () => ({
      ...plan,
      labels: await askLabels(readiness, task, labels, vscode.l10n.t('Labels')),
    }),
  };
}
