import * as vscode from 'vscode';
import { fileInArchive } from '../../../../archives/fileInArchive';
import { FleetError, isCanceled, toFleetError } from '../../../../core/api/errors';
import { displayText } from '../../../../core/model/displayText';
import type { PackageFileInfo } from '../../../../core/model/packageFile';
import type { RegistryStore } from '../../../../core/stores/registryStore';
import {
  type LabelMetrics,
  type ModelMetrics,
  type NamedNumber,
  readMetrics,
} from '../../../../core/training/modelMetrics';
import type { PageFact, PageFigures, PageTable } from '../../../../shared/registryItem';
import { bytesText, numberText } from '../../../platform/quantityText';

const METRICS = /^(?:\.\/)?(?:[^/]+\/)?metrics\.json$/;
const MOST_METRICS_BYTES = 256 * 1024;
/** A larger archive is not read for the sake of a few numbers. */
const MOST_ARCHIVE_BYTES = 64 * 1024 * 1024;
const MOST_FILES = 200;

/**
 * What a version of a model tells of itself: its files, and how good it is, which is read out of its
 * archive where that is not too large. The files are told also where the archive cannot be read. Throws
 * `canceled`.
 */
export async function modelFigures(
  registry: Pick<RegistryStore, 'content'>,
  info: PackageFileInfo,
  signal: AbortSignal,
): Promise<PageFigures> {
  const files = info.files
    .filter(({ isDirectory }) => !isDirectory)
    .slice(0, MOST_FILES)
    .map(({ name, size }) => ({ name: displayText(name), size: bytesText(size) }));
  const version = displayText(info.version);
  try {
    const metrics = await metricsOf(registry, info, signal);
    if (!metrics) return { version, facts: [], tables: [], files };
    return { version, facts: factsOf(metrics), tables: tablesOf(metrics), files };
  } catch (error) {
    if (signal.aborted || isCanceled(error)) throw error;
    return { version, facts: [], tables: [], files, problem: toFleetError(error).message };
  }
}

/** @throws FleetError with the reason when there are metrics, or may be, that are not read. */
async function metricsOf(
  registry: Pick<RegistryStore, 'content'>,
  info: PackageFileInfo,
  signal: AbortSignal,
): Promise<ModelMetrics | undefined> {
  const { files, sizeBytes = 0 } = info;
  const isListed = files.some(({ name }) => METRICS.test(name));
  const isThere = files.length <= 1 || isListed;
  if (!isThere || info.url === '') return undefined;
  if (sizeBytes > MOST_ARCHIVE_BYTES) throw tooLarge(sizeBytes);
  const { chunks } = await registry.content(info, { signal });
  const bytes = await fileInArchive(chunks, (path) => METRICS.test(path), {
    signal,
    mostUnpacked: 2 * MOST_ARCHIVE_BYTES,
    mostBytes: MOST_METRICS_BYTES,
  });
  if (!bytes && isListed) throw notRead();
  return bytes && readMetrics(new TextDecoder().decode(bytes));
}

function tooLarge(bytes: number): FleetError {
  return new FleetError(
    'unsupported',
    vscode.l10n.t(
      'This version is too large ({0}) to look into: only up to {1} is read for its figures. Download it to look for a metrics.json in it.',
      bytesText(bytes),
      bytesText(MOST_ARCHIVE_BYTES),
    ),
  );
}

function notRead(): FleetError {
  return new FleetError(
    'unsupported',
    vscode.l10n.t(
      'Its metrics.json is too large to be read, or the archive is damaged. Download the version to look into it.',
    ),
  );
}

function factsOf({ numbers, trainingImages, heldOutImages }: ModelMetrics): readonly PageFact[] {
  const images = [
    ...fact(vscode.l10n.t('Images it learned from'), trainingImages),
    ...fact(vscode.l10n.t('Images it was tested on'), heldOutImages),
  ];
  return [...numbers.map(numberFact), ...images];
}

function fact(name: string, value: number | undefined): readonly PageFact[] {
  return value === undefined ? [] : [{ name, value: numberText(value), isCode: false }];
}

function numberFact({ name, value }: NamedNumber): PageFact {
  const share = shareName(name);
  return share === undefined
    ? { name: countName(name) ?? displayText(name), value: plainNumber(value), isCode: false }
    : { name: share, value: shareText(value), isCode: false };
}

/** What a number of a training goes by in words. */
function countName(name: string): string | undefined {
  switch (name) {
    case 'epochs':
      return vscode.l10n.t('Epochs');
    case 'parameters':
      return vscode.l10n.t('Parameters');
    case 'seed':
      return vscode.l10n.t('Seed');
    default:
      return undefined;
  }
}

/** What a share goes by in words; undefined for numbers that are none, or that are not known. */
function shareName(name: string): string | undefined {
  switch (name) {
    case 'accuracy':
      return vscode.l10n.t('Accuracy');
    case 'exactMatch':
      return vscode.l10n.t('Right in every label');
    case 'meanIou':
      return vscode.l10n.t('Mean overlap of boxes (IoU)');
    case 'recall':
      return vscode.l10n.t('Found (recall)');
    case 'precision':
      return vscode.l10n.t('Right (precision)');
    default:
      return undefined;
  }
}

function tablesOf({ labels, confusion }: ModelMetrics): readonly PageTable[] {
  if (labels.length === 0) return [];
  const names = labels.map(({ label }) => displayText(label));
  return [
    labelTable(labels),
    ...(confusion.length === 0
      ? []
      : [
          {
            caption: vscode.l10n.t('What images are (rows), and what the model says (columns)'),
            head: ['', ...names],
            rows: confusion.map((row, index) => [names[index] ?? '', ...row.map(numberText)]),
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
      vscode.l10n.t('Right (precision)'),
      vscode.l10n.t('Found (recall)'),
      ...overlap,
    ],
    rows: labels.map(({ label, heldOut, precision, recall, meanIou }) => [
      displayText(label),
      heldOut === undefined ? '' : numberText(heldOut),
      shareText(precision),
      shareText(recall),
      ...(hasOverlap ? [shareText(meanIou)] : []),
    ]),
  };
}

function shareText(share: number | undefined): string {
  if (share === undefined) return '–';
  return share.toLocaleString(vscode.env.language, { style: 'percent', maximumFractionDigits: 1 });
}

function plainNumber(value: number): string {
  if (Number.isInteger(value)) return numberText(value);
  return value.toLocaleString(vscode.env.language, { maximumSignificantDigits: 4 });
}
