import * as vscode from 'vscode';
import {
  type DatasetReadiness,
  type LabelCount,
  TRAINING_MINIMUM,
  type TrainingReadiness,
} from '../../../core/data/datasets/datasetReadiness';
import type { BinaryItem } from '../../../core/model/binaryItem';
import { toDisplayText } from '../../../core/model/displayText';
import { toMilliseconds } from '../../../core/model/timestamp';
import { findMissingRequirements } from '../../../core/training/submit/missingRequirement';
import {
  formatBytes,
  formatDateTimeWithSeconds,
  formatNumber,
} from '../../platform/text/displayText';
import { formatExampleCount } from '../../platform/text/trainingText';

/** Checked dataset and the time of the check. */
export interface CheckedDataset {
  readonly name: string;
  readonly organization: string;
  readonly at: Date;
}

/**
 * Formats a dataset's readiness for training as plain text: a statement of readiness, followed by
 * the missing requirements.
 */
export function formatReadiness(dataset: CheckedDataset, readiness: DatasetReadiness): string {
  const { trainings, images } = readiness;
  const sections = [
    headLines(dataset, readiness),
    ...trainings.flatMap((training) => trainingSections(training, readiness)),
    describeLabelRules(),
    ...trainings.flatMap((training) => unlabeledSections(training, images)),
  ];
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function headLines(
  { name, organization, at }: CheckedDataset,
  readiness: DatasetReadiness,
): readonly string[] {
  const { items, images, bytes, trainings } = readiness;
  const checked = formatDateTimeWithSeconds(at);
  return [
    vscode.l10n.t('Is the dataset "{0}" ready for training?', toDisplayText(name)),
    vscode.l10n.t('Organization "{0}", checked {1}', toDisplayText(organization), checked),
    '',
    ...trainings.map((training) => titleLine(training, readiness)),
    '',
    formatContents(items, images, bytes),
  ];
}

function formatContents(items: number, images: number, bytes: number): string {
  const others = items - images;
  const all = vscode.l10n.t(
    '{0} items ({1}), of which {2} are images.',
    formatNumber(items),
    formatBytes(bytes),
    formatNumber(images),
  );
  if (others === 0) return all;
  const skipped =
    others === 1
      ? vscode.l10n.t('Training skips the other item.')
      : vscode.l10n.t('Training skips the other {0} items.', formatNumber(others));
  return `${all} ${skipped}`;
}

function titleLine(training: TrainingReadiness, readiness: DatasetReadiness): string {
  return `${trainingTitle(training)}: ${verdict(training, readiness)}`;
}

function verdict(
  { isReady, kind, labels }: TrainingReadiness,
  readiness: DatasetReadiness,
): string {
  if (!isReady) return vscode.l10n.t('not ready');
  const names = labels.map(({ label }) => label);
  const isForOne = findMissingRequirements(readiness, 'singleLabelClassification', names).every(
    (requirement) => requirement.kind !== 'severalLabels',
  );
  return kind === 'detection' || isForOne
    ? vscode.l10n.t('ready')
    : vscode.l10n.t('ready for multi-label training, but not for single-label training');
}

function trainingTitle({ kind }: TrainingReadiness): string {
  return kind === 'detection' ? vscode.l10n.t('Object detection') : vscode.l10n.t('Classification');
}

function trainingSections(
  training: TrainingReadiness,
  readiness: DatasetReadiness,
): readonly (readonly string[])[] {
  const labels = labelLines(training);
  return [
    [
      titleLine(training, readiness),
      ...requirementLines(training, readiness).map((line) => `  ${line}`),
    ],
    ...(labels.length === 0
      ? []
      : [[`  ${vscode.l10n.t('Labels')}`, ...labels.map((line) => `    ${line}`)]]),
  ];
}

function describeLabelRules(): readonly string[] {
  return [
    vscode.l10n.t('Labels used for training'),
    `  ${vscode.l10n.t('For object detection: the label of a box. Each box is an example.')}`,
    `  ${vscode.l10n.t(
      'For classification: a tag or a classification of the whole image. Each image is an example.',
    )}`,
    `  ${vscode.l10n.t("A tag that only marks membership in a dataset doesn't count.")}`,
  ];
}

function unlabeledSections(
  { kind, labeled, unlabeled }: TrainingReadiness,
  images: number,
): readonly (readonly string[])[] {
  const count = images - labeled;
  if (count === 0) return [];
  const title =
    kind === 'detection'
      ? vscode.l10n.t('Images without a box ({0})', formatNumber(count))
      : vscode.l10n.t('Images without a tag or classification ({0})', formatNumber(count));
  const more = count - unlabeled.length;
  return [
    [
      title,
      ...unlabeled.map((image) => `  ${formatImage(image)}`),
      ...(more > 0 ? [`  ${vscode.l10n.t('… and {0} more', formatNumber(more))}`] : []),
    ],
  ];
}

/** Formats an image's source, time, and ID, because camera captures have no names. */
function formatImage({ source, at, id, fileName, fileExtension }: BinaryItem): string {
  const { machineName, partName, componentName } = source;
  const origin = [machineName, partName, componentName].filter((name) => name !== '').join(' › ');
  const time = formatDateTimeWithSeconds(new Date(toMilliseconds(at)));
  const name = fileName === '' ? [] : [toDisplayText(fileName + fileExtension)];
  return [time, toDisplayText(origin), ...name, id].join(' · ');
}

/** Maximum number of labels to list; the rest are only counted. */
const MAX_LABELS = 200;

/**
 * Formats the number of examples for each label and the number of missing examples. Labels with
 * missing examples come first.
 */
function labelLines({ kind, labels }: TrainingReadiness): readonly string[] {
  const needy = labels.filter(({ missing }) => missing > 0);
  const enough = labels.filter(({ missing }) => missing === 0);
  const shown = [...needy, ...enough].slice(0, MAX_LABELS);
  const more = labels.length - shown.length;
  return [
    ...shown.map((label) => formatLabelCount(label, kind)),
    ...(more > 0 ? [vscode.l10n.t('… and {0} more labels', formatNumber(more))] : []),
  ];
}

function formatLabelCount(
  { label, count, missing }: LabelCount,
  kind: TrainingReadiness['kind'],
): string {
  const name = `"${toDisplayText(label)}"`;
  const counted = `${name}: ${formatExampleCount(count, kind)}`;
  if (missing === 0) return counted;
  return `${counted}. ${formatMissing(missing, name, kind)}`;
}

function formatMissing(missing: number, name: string, kind: TrainingReadiness['kind']): string {
  const number = formatNumber(missing);
  if (kind === 'detection') {
    return missing === 1
      ? vscode.l10n.t('1 more box labeled {0} is needed.', name)
      : vscode.l10n.t('{0} more boxes labeled {1} are needed.', number, name);
  }
  return missing === 1
    ? vscode.l10n.t('1 more image labeled {0} is needed.', name)
    : vscode.l10n.t('{0} more images labeled {1} are needed.', number, name);
}

const { images: MIN_IMAGES, labeled: MIN_LABELED, perLabel: MIN_PER_LABEL } = TRAINING_MINIMUM;

/**
 * Formats each requirement for a dataset and its result. An unmet requirement is followed by the
 * recommended action.
 */
function requirementLines(
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
