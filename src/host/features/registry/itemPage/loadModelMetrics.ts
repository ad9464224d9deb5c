import * as vscode from 'vscode';
import { isCanceled, toFleetError } from '../../../../core/api/errors';
import { toDisplayText } from '../../../../core/model/displayText';
import type { PackageFileInfo } from '../../../../core/model/registryPackage';
import type { RegistryStore } from '../../../../core/stores/registryStore';
import type {
  LabelMetrics,
  ModelMetrics,
  NamedNumber,
} from '../../../../core/training/modelMetrics';
import type { PageFact, PageMetrics, PageTable } from '../../../../shared/registryItem';
import { getMetricName, readModelMetrics } from '../../../platform/text/modelMetrics';
import { formatBytes, formatNumber } from '../../../platform/text/displayText';

const MAX_FILES = 200;
/** Maximum number of labels for which a confusion matrix is readable as a table. */
const MAX_CONFUSION_LABELS = 20;

/**
 * Returns details about a model version: its files and its quality metrics. Reads the metrics from
 * the archive unless the archive is too large. Returns the files even if the archive can't be read.
 * Throws `canceled`.
 */
export async function loadModelMetrics(
  registry: Pick<RegistryStore, 'content'>,
  info: PackageFileInfo,
  signal: AbortSignal,
): Promise<PageMetrics> {
  const files = info.files
    .filter(({ isDirectory }) => !isDirectory)
    .slice(0, MAX_FILES)
    .map(({ name, size }) => ({ name: toDisplayText(name), size: formatBytes(size) }));
  const version = toDisplayText(info.version);
  try {
    const metrics = await readModelMetrics(registry, info, signal);
    if (!metrics) return { version, facts: [], tables: [], files };
    return { version, facts: toFacts(metrics), tables: toTables(metrics), files };
  } catch (error) {
    if (signal.aborted || isCanceled(error)) throw error;
    return { version, facts: [], tables: [], files, problem: toFleetError(error).message };
  }
}

function toFacts({ numbers, trainingImages, heldOutImages }: ModelMetrics): readonly PageFact[] {
  const images = [
    ...fact(vscode.l10n.t('Images used for training'), trainingImages),
    ...fact(vscode.l10n.t('Images used for testing'), heldOutImages),
  ];
  return [...numbers.map(numberFact), ...images];
}

function fact(name: string, value: number | undefined): readonly PageFact[] {
  return value === undefined ? [] : [{ name, value: formatNumber(value), isCode: false }];
}

function numberFact({ name: key, value }: NamedNumber): PageFact {
  const { name, isShare } = getMetricName(key);
  return { name, value: isShare ? formatPercent(value) : plainNumber(value), isCode: false };
}

function toTables({ labels, confusion }: ModelMetrics): readonly PageTable[] {
  if (labels.length === 0) return [];
  const names = labels.map(({ label }) => toDisplayText(label));
  return [
    labelTable(labels),
    ...(confusion.length === 0 || confusion.length > MAX_CONFUSION_LABELS
      ? []
      : [
          {
            caption: vscode.l10n.t('Actual label (rows) vs. predicted label (columns)'),
            head: ['', ...names],
            rows: confusion.map((row, index) => [names[index] ?? '', ...row.map(formatNumber)]),
          },
        ]),
  ];
}

function labelTable(labels: readonly LabelMetrics[]): PageTable {
  const hasOverlap = labels.some(({ meanIou }) => meanIou !== undefined);
  const overlap = hasOverlap ? [vscode.l10n.t('Mean overlap of boxes (IoU)')] : [];
  return {
    caption: vscode.l10n.t('By label'),
    head: [
      vscode.l10n.t('Label'),
      vscode.l10n.t('Tested on'),
      vscode.l10n.t('Precision'),
      vscode.l10n.t('Recall'),
      ...overlap,
    ],
    rows: labels.map(({ label, heldOut, precision, recall, meanIou }) => [
      toDisplayText(label),
      heldOut === undefined ? '' : formatNumber(heldOut),
      formatPercent(precision),
      formatPercent(recall),
      ...(hasOverlap ? [formatPercent(meanIou)] : []),
    ]),
  };
}

function formatPercent(share: number | undefined): string {
  if (share === undefined) return '–';
  return share.toLocaleString(vscode.env.language, { style: 'percent', maximumFractionDigits: 1 });
}

function plainNumber(value: number): string {
  if (Number.isInteger(value)) return formatNumber(value);
  return value.toLocaleString(vscode.env.language, { maximumSignificantDigits: 4 });
}
