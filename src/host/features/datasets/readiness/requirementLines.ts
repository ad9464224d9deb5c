import * as vscode from 'vscode';
import {
  type DatasetReadiness,
  TRAINING_MINIMUM,
  type TrainingReadiness,
} from '../../../../core/data/datasets/datasetReadiness';
import { formatNumber } from '../../../platform/quantityText';

const { images: MIN_IMAGES, labeled: MIN_LABELED, perLabel: MIN_PER_LABEL } = TRAINING_MINIMUM;

/**
 * Formats each requirement for a dataset and its result. An unmet requirement is followed by the
 * recommended action.
 */
export function requirementLines(
  training: TrainingReadiness,
  { images, together }: DatasetReadiness,
): readonly string[] {
  const lines = [...labeledLines(training, images), ...perLabelLines(training)];
  return training.kind === 'detection'
    ? [...imagesLines(training, images), ...lines]
    : [...lines, ...severalLines(together.images)];
}

/**
 * Formats the number of images with more than one label. Such images aren't a problem for
 * multi-label training.
 */
function severalLines(several: number): readonly string[] {
  if (several === 0) return [];
  return [
    several === 1
      ? vscode.l10n.t('1 image has several labels.')
      : vscode.l10n.t('{0} images have several labels.', formatNumber(several)),
    `  ${vscode.l10n.t(
      'Single-label training skips images with more than one label. Train a multi-label model, or remove tags.',
    )}`,
  ];
}

function imagesLines({ missingImages }: TrainingReadiness, images: number): readonly string[] {
  const rule = vscode.l10n.t(
    'At least {0} images: {1} available.',
    MIN_IMAGES,
    formatNumber(images),
  );
  if (missingImages === 0) return met(rule);
  return missing(rule, vscode.l10n.t('Add {0} more.', formatNumber(missingImages)));
}

function labeledLines(
  { kind, labeled, missingLabeled }: TrainingReadiness,
  images: number,
): readonly string[] {
  const share = images === 0 ? 0 : Math.floor((100 * labeled) / images);
  const rule = vscode.l10n.t(
    'At least {0}% of the images labeled: {1} of {2} are labeled ({3}%).',
    MIN_LABELED,
    formatNumber(labeled),
    formatNumber(images),
    share,
  );
  if (images === 0) return missing(rule, vscode.l10n.t('Add images first.'));
  if (missingLabeled === 0) return met(rule);
  const count = formatNumber(missingLabeled);
  return missing(
    rule,
    kind === 'detection'
      ? vscode.l10n.t('Draw boxes on {0} more.', count)
      : vscode.l10n.t('Tag {0} more.', count),
  );
}

function perLabelLines({ kind, labels }: TrainingReadiness): readonly string[] {
  const enough = labels.filter((label) => label.missing === 0).length;
  const [count, all] = [formatNumber(enough), formatNumber(labels.length)];
  const rule =
    kind === 'detection'
      ? vscode.l10n.t(
          'At least {0} boxes for each label: {1} of {2} labels have enough.',
          MIN_PER_LABEL,
          count,
          all,
        )
      : vscode.l10n.t(
          'At least {0} images for each label: {1} of {2} labels have enough.',
          MIN_PER_LABEL,
          count,
          all,
        );
  if (labels.length === 0) return missing(rule, vscode.l10n.t('There are no labels yet.'));
  if (enough === labels.length) return met(rule);
  return missing(
    rule,
    vscode.l10n.t('Add the missing examples listed below, or train without those labels.'),
  );
}

function met(rule: string): readonly string[] {
  return [vscode.l10n.t('Met: {0}', rule)];
}

function missing(rule: string, remedy: string): readonly string[] {
  return [vscode.l10n.t('Missing: {0}', rule), `  ${remedy}`];
}
