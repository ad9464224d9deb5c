import * as vscode from 'vscode';
import { canceled } from '../../../core/api/errors';
import type { FileSource } from '../../../core/data/uploads/fileSource';
import { toDisplayText } from '../../../core/model/displayText';
import type { DatasetId } from '../../../core/model/ids';
import type { PartTarget } from '../../../core/model/resourceTarget';
import {
  escapeIcons,
  formatBytes,
  formatList,
  formatNumber,
  toQuickPickText,
} from '../../platform/text/displayText';
import { promptForText } from '../../platform/prompts/prompts';
import type { FileSearchResult } from '../../platform/featureInterfaces';
import { type MenuItem, showSettingsMenu } from '../../platform/prompts/showSettingsMenu';
import { formatNone, formatPart, partItem, tagsItem, type UploadTools } from './uploadPart';

/** Upload settings of files. */
export interface FileSettings {
  readonly part: PartTarget;
  readonly tags: readonly string[];
  readonly datasets: readonly DatasetId[];
  /** Component to which the files are attributed; usually empty. */
  readonly component: string;
}

/**
 * Prompts for the files' upload settings, and shows the number and total size of the files. Throws
 * `canceled`.
 */
export async function configureFileUpload(
  tools: UploadTools,
  found: FileSearchResult,
  initial: FileSettings,
): Promise<FileSettings> {
  const { organizationId, connectionId } = initial.part;
  const names = await datasetNames(tools, { organizationId, connectionId });
  const title = vscode.l10n.t('Upload Files');
  const placeholder = vscode.l10n.t('Press Enter to upload, or select a setting to change');
  return showSettingsMenu(initial, title, placeholder, (settings) => [
    {
      label: formatUpload(found.files, settings.part),
      iconPath: new vscode.ThemeIcon('cloud-upload'),
      detail: formatSkipped(found),
    },
    partItem(tools, settings),
    tagsItem(tools, settings),
    datasetsItem(tools, settings, names),
    componentItem(settings),
  ]);
}

/** Formats an upload's settings other than its part, one per line, for a report. */
export function formatSettings({ tags, datasets, component }: FileSettings, names: Names): string {
  const lines = [
    tags.length > 0 &&
      vscode.l10n.t('Tags: {0}', formatList(tags.map((tag) => toDisplayText(tag)))),
    datasets.length > 0 &&
      vscode.l10n.t(
        'Datasets: {0}',
        formatList(datasets.map((id) => toDisplayText(names.get(id) ?? id))),
      ),
    component !== '' && vscode.l10n.t('Component: {0}', toDisplayText(component)),
  ];
  return lines.filter((line) => line !== false).join('\n');
}

/** Formats an upload, such as `Upload 214 files (1.2 GB) to arm-1 › main`. */
export function formatUpload(files: readonly FileSource[], part: PartTarget): string {
  const bytes = formatBytes(files.reduce((sum, { size }) => sum + size, 0));
  const to = escapeIcons(formatPart(part));
  const [first] = files;
  return files.length === 1 && first
    ? vscode.l10n.t('Upload "{0}" ({1}) to {2}', toQuickPickText(first.path), bytes, to)
    : vscode.l10n.t('Upload {0} files ({1}) to {2}', formatNumber(files.length), bytes, to);
}

function formatSkipped({ skipped }: FileSearchResult): string {
  if (skipped.length === 0) return '';
  const [first] = skipped;
  return skipped.length === 1 && first
    ? vscode.l10n.t('Skipped {0}. {1}', escapeIcons(first.name), first.reason)
    : vscode.l10n.t(
        'Skipped {0} files, such as {1}. The report lists all of them.',
        formatNumber(skipped.length),
        escapeIcons(first?.name ?? ''),
      );
}

type Names = ReadonlyMap<DatasetId, string>;

/** Returns the dataset names; empty if they can't be read. */
/** Returns the names of an organization's datasets by ID; empty if they can't be read. */
export async function datasetNames(
  { sessions }: UploadTools,
  part: Pick<PartTarget, 'organizationId' | 'connectionId'>,
): Promise<Names> {
  const stores = sessions.stores(part.connectionId);
  const datasets = await stores.datasets.list(part.organizationId).catch(() => []);
  return new Map(datasets.map(({ id, name }) => [id, name]));
}

function datasetsItem(
  tools: UploadTools,
  settings: FileSettings,
  names: Names,
): MenuItem<FileSettings> {
  const chosen = settings.datasets.map((id) => toQuickPickText(names.get(id) ?? id));
  const shown = chosen.length === 0 ? formatNone() : formatList(chosen);
  return {
    label: vscode.l10n.t('Datasets: {0}', shown),
    iconPath: new vscode.ThemeIcon('library'),
    change: async () => ({ ...settings, datasets: await pickDatasets(tools, settings) }),
  };
}

async function pickDatasets(
  { sessions }: UploadTools,
  { part, datasets }: FileSettings,
): Promise<readonly DatasetId[]> {
  const stores = sessions.stores(part.connectionId);
  const listed = await stores.datasets.list(part.organizationId, { fresh: true });
  const items = listed.map(({ id, name }) => ({
    label: toQuickPickText(name),
    id,
    picked: datasets.includes(id),
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Datasets'),
    placeHolder:
      items.length === 0
        ? vscode.l10n.t('This organization has no datasets')
        : vscode.l10n.t('Datasets to add the files to'),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  if (!chosen) throw canceled();
  return chosen.map(({ id }) => id);
}

function componentItem(settings: FileSettings): MenuItem<FileSettings> {
  const { component } = settings;
  const shown = component === '' ? formatNone() : toDisplayText(component);
  return {
    label: vscode.l10n.t('Component: {0}', escapeIcons(shown)),
    iconPath: new vscode.ThemeIcon('symbol-property'),
    change: async () => ({
      ...settings,
      component: (
        await promptForText({
          title: vscode.l10n.t('Component'),
          prompt: vscode.l10n.t('Name of the component that captured the files (optional)'),
          value: component,
          validate: () => undefined,
        })
      ).trim(),
    }),
  };
}
