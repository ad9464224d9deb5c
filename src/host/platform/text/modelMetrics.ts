import * as vscode from 'vscode';
import { fileInArchive } from '../../../archives/fileInArchive';
import { FleetError } from '../../../core/api/errors';
import type { PackageFileInfo } from '../../../core/model/registryPackage';
import type { RegistryStore } from '../../../core/stores/registryStore';
import { type ModelMetrics, readMetrics } from '../../../core/training/modelMetrics';
import { formatBytes } from './displayText';
import { toDisplayText } from '../../../core/model/displayText';

const METRICS = /^(?:\.\/)?(?:[^/]+\/)?metrics\.json$/;
/** Maximum size of metrics in bytes. A confusion matrix of 200 labels takes about 500 KB. */
const MAX_METRICS_BYTES = 1024 * 1024;
/** Maximum size, in bytes, of an archive that is read only for its metrics. */
const MAX_ARCHIVE_BYTES = 64 * 1024 * 1024;

/**
 * Reads a model's metrics from its archive, unless the archive is too large.
 * @returns undefined if the version has no `metrics.json`, or if that file contains no numbers
 * @throws FleetError with the reason that metrics that exist or might exist were not read
 */
export async function readModelMetrics(
  registry: Pick<RegistryStore, 'content'>,
  info: Pick<PackageFileInfo, 'files' | 'sizeBytes' | 'url'>,
  signal: AbortSignal,
): Promise<ModelMetrics | undefined> {
  const { files, sizeBytes = 0 } = info;
  const isListed = files.some(({ name }) => METRICS.test(name));
  const isThere = files.length <= 1 || isListed;
  if (!isThere || info.url === '') return undefined;
  if (sizeBytes > MAX_ARCHIVE_BYTES) throw tooLarge(sizeBytes);
  const { chunks } = await registry.content(info, { signal });
  const bytes = await fileInArchive(chunks, (path) => METRICS.test(path), {
    signal,
    maxUnpackedBytes: 2 * MAX_ARCHIVE_BYTES,
    maxBytes: MAX_METRICS_BYTES,
  });
  if (!bytes && isListed) throw notRead();
  return bytes && readMetrics(new TextDecoder().decode(bytes));
}

function tooLarge(bytes: number): FleetError {
  return new FleetError(
    'unsupported',
    vscode.l10n.t(
      'This version is too large ({0}) to inspect. Metrics are only read from versions up to {1}. To view its metrics.json, download the version.',
      formatBytes(bytes),
      formatBytes(MAX_ARCHIVE_BYTES),
    ),
  );
}

function notRead(): FleetError {
  return new FleetError(
    'unsupported',
    vscode.l10n.t(
      "The version's metrics.json is too large to read, or the archive is damaged. Download the version to inspect it.",
    ),
  );
}

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
