import * as vscode from 'vscode';
import {
  type DatasetReadiness,
  type LabelCount,
  readReadiness,
} from '../../../core/data/datasets/datasetReadiness';
import type {
  MissingRequirement,
  SeveralLabels,
} from '../../../core/training/submit/missingRequirement';
import type { TrainingTask } from '../../../core/model/trainingJob';
import { formatNames, formatNumber } from '../../platform/text/displayText';
import type { DatasetId, OrganizationId } from '../../../core/model/ids';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { reading } from '../../platform/commands/progress';

/** Formats a dataset's missing requirement for a task, including how to meet the requirement. */
export function describeMissingRequirement(
  requirement: MissingRequirement,
  task: TrainingTask,
): string {
  switch (requirement.kind) {
    case 'images':
      return requirement.missing === 1
        ? vscode.l10n.t('1 more image is needed.')
        : vscode.l10n.t('{0} more images are needed.', formatNumber(requirement.missing));
    case 'labeled':
      return task === 'objectDetection'
        ? describeUnboxed(requirement.missing)
        : describeUntagged(requirement.missing);
    case 'examples':
      return vscode.l10n.t(
        'Labels with too few examples: {0}.',
        formatLabelCounts(requirement.labels),
      );
    case 'severalLabels':
      return describeSeveralLabels(requirement);
    case 'oneLabel':
      return vscode.l10n.t('Select at least two labels.');
    case 'nothingElse':
      return vscode.l10n.t(
        'Every image has all of these labels. Add images with a different tag that have none of these labels.',
      );
  }
}

function describeUnboxed(missing: number): string {
  return missing === 1
    ? vscode.l10n.t('Draw boxes on 1 more image.')
    : vscode.l10n.t('Draw boxes on {0} more images.', formatNumber(missing));
}

function describeUntagged(missing: number): string {
  return missing === 1
    ? vscode.l10n.t('Tag 1 more image.')
    : vscode.l10n.t('Tag {0} more images.', formatNumber(missing));
}

function describeSeveralLabels(requirement: SeveralLabels): string {
  const remedy = vscode.l10n.t('Train for multiple labels, or remove tags.');
  const parts = [
    describeSkippedImages(requirement),
    ...describeTooFewExamples(requirement),
    remedy,
  ];
  return parts.join(' ');
}

/** Formats the number of images that are skipped by single-label training. */
export function describeSkippedImages({ images, isLeast }: SeveralLabels): string {
  const count = formatNumber(images);
  if (isLeast) {
    return vscode.l10n.t(
      'At least {0} images have more than one of these labels. Single-label training skips them.',
      count,
    );
  }
  return images === 1
    ? vscode.l10n.t('1 image has several of these labels. Single-label training skips it.')
    : vscode.l10n.t(
        '{0} images have several of these labels. Training for a single label skips them.',
        count,
      );
}

function describeTooFewExamples({ labels }: SeveralLabels): readonly string[] {
  if (labels.length === 0) return [];
  return [
    vscode.l10n.t('This leaves too few examples of these labels: {0}.', formatLabelCounts(labels)),
  ];
}

function formatLabelCounts(labels: readonly LabelCount[]): string {
  return formatNames(labels.map(({ label, count }) => `${label} (${formatNumber(count)})`));
}

/**
 * Returns the message for a dataset that can't be used for training because it has no labels for
 * the task.
 */
export function describeNothingToLearn(
  dataset: string,
  { images }: Pick<DatasetReadiness, 'images'>,
): string {
  return images === 0
    ? vscode.l10n.t(
        'The dataset "{0}" has no images. Add captured images to it in the data browser.',
        dataset,
      )
    : vscode.l10n.t(
        'The dataset "{0}" has no labels for this task. Tag its images, or draw boxes on them, in the data browser.',
        dataset,
      );
}

/** Formats all missing requirements on one line; empty if there are none. */
export function describeMissingRequirements(
  requirements: readonly MissingRequirement[],
  task: TrainingTask,
): string {
  return requirements.map((requirement) => describeMissingRequirement(requirement, task)).join(' ');
}

/** Checks a dataset, with cancelable progress. Throws `canceled` if the user cancels. */
export function loadReadiness(
  { binaryData }: Pick<FleetStores, 'binaryData'>,
  organizationId: OrganizationId,
  datasetId: DatasetId,
): Promise<DatasetReadiness> {
  return reading(vscode.l10n.t('Checking the dataset'), (signal, report) =>
    readReadiness(binaryData, { organizationId, datasetId }, { signal, onProgress: report }),
  );
}
