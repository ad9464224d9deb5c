import * as vscode from 'vscode';
import type {
  LabelCount,
  TrainingReadiness,
} from '../../../../core/data/datasets/datasetReadiness';
import { toDisplayText } from '../../../../core/model/toDisplayText';
import { formatNumber } from '../../../platform/quantityText';
import { formatExampleCount } from '../../../platform/trainingText';

/** Maximum number of labels to list; the rest are only counted. */
const MAX_LABELS = 200;

/**
 * Formats the number of examples of each label and the number of missing examples. Labels with
 * missing examples come first.
 */
export function labelLines({ kind, labels }: TrainingReadiness): readonly string[] {
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
