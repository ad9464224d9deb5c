import * as vscode from 'vscode';
import { toDisplayText } from '../../core/model/toDisplayText';

/** Localized name of a model's metric. */
export interface MetricName {
  readonly name: string;
  /** True for a value from 0 to 1, which is displayed as a percentage. */
  readonly isShare: boolean;
}

/** Returns the name of a metric in `metrics.json`. Returns the key if the metric is unknown. */
export function getMetricName(key: string): MetricName {
  const share = getShareName(key);
  return share === undefined
    ? { name: getCountName(key) ?? toDisplayText(key), isShare: false }
    : { name: share, isShare: true };
}

function getCountName(key: string): string | undefined {
  switch (key) {
    case 'epochs':
      return vscode.l10n.t('Epochs');
    case 'plannedEpochs':
      return vscode.l10n.t('Planned epochs');
    case 'bestEpoch':
      return vscode.l10n.t('Best epoch');
    case 'parameters':
      return vscode.l10n.t('Parameters');
    case 'seed':
      return vscode.l10n.t('Seed');
    default:
      return undefined;
  }
}

function getShareName(key: string): string | undefined {
  switch (key) {
    case 'accuracy':
      return vscode.l10n.t('Accuracy');
    case 'exactMatch':
      return vscode.l10n.t('Exact match');
    case 'meanIou':
      return vscode.l10n.t('Mean overlap of boxes (IoU)');
    case 'recall':
      return vscode.l10n.t('Recall');
    case 'precision':
      return vscode.l10n.t('Precision');
    default:
      return undefined;
  }
}
