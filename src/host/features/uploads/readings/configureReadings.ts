import * as vscode from 'vscode';
import type { FileSource } from '../../../../core/data/uploads/fileSource';
import { inspectReadings } from '../../../../core/data/uploads/readings/inspectReadings';
import type { ReadingsLayout, TimeChoice } from '../../../../core/data/uploads/readings/readingRow';
import { FleetError } from '../../../../core/api/errors';
import { toDisplayText } from '../../../../core/model/displayText';
import { trackProgress } from '../../../platform/commands/progress';
import { inputError, pickOne, promptForText } from '../../../platform/prompts/prompts';
import { escapeIcons, formatNumber, toQuickPickText } from '../../../platform/text/displayText';
import { type MenuItem, showSettingsMenu } from '../../../platform/prompts/showSettingsMenu';
import { formatPart, partItem, tagsItem, type UploadTools } from '../uploadPart';
import { readingsPreview } from './readingsPreview';
import {
  formatTimeForm,
  formatZone,
  readingsCount,
  type ReadingsSettings,
  toUserError,
} from './readingsText';

type Item = MenuItem<ReadingsSettings>;

/**
 * Shows an import preview in a document, and prompts for settings until the user starts or cancels
 * the upload. Throws `canceled`.
 */
export async function configureReadings(
  tools: UploadTools,
  source: FileSource,
  layout: ReadingsLayout,
  initial: ReadingsSettings,
): Promise<ReadingsSettings> {
  const preview = new Preview(tools, source, layout);
  const title = vscode.l10n.t('Upload Readings');
  const placeholder = vscode.l10n.t('Press Enter to upload, or select a setting to change');
  await preview.show(initial);
  const shown =
    (change: () => Promise<ReadingsSettings>) => async (): Promise<ReadingsSettings> => {
      const settings = await change();
      await preview.show(settings);
      return settings;
    };
  try {
    return await showSettingsMenu(initial, title, placeholder, (settings) =>
      itemsFor(tools, source, layout, settings).map((item) =>
        item.change ? { ...item, change: shown(item.change) } : item,
      ),
    );
  } finally {
    await preview.close();
  }
}

/**
 * Reads the whole file and inspects it for a preview. Throws `canceled`, and `invalid` for files
 * that don't contain readings.
 */
export async function inspected(
  source: FileSource,
  layout: ReadingsLayout,
  time: TimeChoice,
): Promise<ReadingsSettings['inspection']> {
  const title = vscode.l10n.t('Loading {0}', toDisplayText(source.path));
  return trackProgress(title, async (signal) => {
    try {
      return await inspectReadings(layout, time, signal);
    } catch (error) {
      throw toUserError(error, source.path);
    }
  });
}

/** Preview document next to the menu. It is replaced when a setting changes. */
class Preview {
  private shown: vscode.Uri | undefined;

  constructor(
    private readonly tools: UploadTools,
    private readonly source: FileSource,
    private readonly layout: ReadingsLayout,
  ) {}

  async show(settings: ReadingsSettings): Promise<void> {
    const { documents } = this.tools;
    const text = readingsPreview(this.source.path, this.layout, settings);
    const name = vscode.l10n.t('Preview of Readings');
    const uri = documents.add(text, `${name}.txt`);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
    await this.close();
    this.shown = uri;
  }

  /** Closes the preview, which is outdated after the upload. */
  async close(): Promise<void> {
    const { shown } = this;
    if (!shown) return;
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const isShown = ({ input }: vscode.Tab): boolean =>
      input instanceof vscode.TabInputText && input.uri.toString() === shown.toString();
    await vscode.window.tabGroups.close(tabs.filter(isShown), true);
    this.tools.documents.remove(shown);
    this.shown = undefined;
  }
}

function itemsFor(
  tools: UploadTools,
  source: FileSource,
  layout: ReadingsLayout,
  settings: ReadingsSettings,
): readonly Item[] {
  return [
    beginItem(settings),
    partItem(tools, settings),
    ...(layout.isExport ? [] : resourceItems(settings)),
    ...(layout.times.size > 1 ? [timeItem(source, layout, settings)] : []),
    ...(settings.inspection.assumesZone ? [zoneItem(source, layout, settings)] : []),
    tagsItem(tools, settings),
  ];
}

function beginItem({ inspection, part }: ReadingsSettings): Item {
  const { readings, problems } = inspection;
  const left = problems.count;
  return {
    label: vscode.l10n.t(
      'Upload {0} to {1}',
      readingsCount(readings),
      escapeIcons(formatPart(part)),
    ),
    iconPath: new vscode.ThemeIcon('cloud-upload'),
    detail:
      left === 0
        ? ''
        : left === 1
          ? vscode.l10n.t('1 row is skipped. The preview shows why.')
          : vscode.l10n.t('{0} rows are skipped. The preview shows why.', formatNumber(left)),
  };
}

function resourceItems(settings: ReadingsSettings): readonly Item[] {
  return [
    textItem(
      vscode.l10n.t('Component: {0}', toQuickPickText(settings.component)),
      vscode.l10n.t('Name of the component that captured the readings'),
      settings.component,
      (component) => ({ ...settings, component }),
    ),
    textItem(
      vscode.l10n.t('Component type: {0}', toQuickPickText(settings.componentType)),
      vscode.l10n.t('Type of the component, such as rdk:component:sensor'),
      settings.componentType,
      (componentType) => ({ ...settings, componentType }),
    ),
    textItem(
      vscode.l10n.t('Method: {0}', toQuickPickText(settings.method)),
      vscode.l10n.t('Method that produced the readings, such as Readings'),
      settings.method,
      (method) => ({ ...settings, method }),
    ),
  ];
}

function textItem(
  label: string,
  prompt: string,
  value: string,
  set: (text: string) => ReadingsSettings,
): Item {
  const validate = (text: string) =>
    text.trim() === '' ? inputError(vscode.l10n.t('Required to store readings.')) : undefined;
  return {
    label,
    iconPath: new vscode.ThemeIcon('symbol-property'),
    change: async () =>
      set(
        (
          await promptForText({ title: vscode.l10n.t('Upload Readings'), prompt, value, validate })
        ).trim(),
      ),
  };
}

function timeItem(source: FileSource, layout: ReadingsLayout, settings: ReadingsSettings): Item {
  const { time } = settings;
  return {
    label: vscode.l10n.t(
      'Time: "{0}", {1}',
      toQuickPickText(time.column),
      formatTimeForm(time.form),
    ),
    iconPath: new vscode.ThemeIcon('clock'),
    change: async () => {
      const items = [...layout.times].map(([column, form]) => ({
        label: toQuickPickText(column),
        description: formatTimeForm(form),
        column,
        form,
      }));
      const { column, form } = await pickOne(items, {
        title: vscode.l10n.t('Upload Readings'),
        placeholder: vscode.l10n.t('Column with the time of each reading'),
      });
      const changed = { ...time, column, form };
      return { ...settings, time: changed, inspection: await inspected(source, layout, changed) };
    },
  };
}

function zoneItem(source: FileSource, layout: ReadingsLayout, settings: ReadingsSettings): Item {
  const { time } = settings;
  return {
    label: vscode.l10n.t('Times without a time zone: {0}', formatZone(time.zone)),
    iconPath: new vscode.ThemeIcon('globe'),
    change: async () => {
      const zone = time.zone === 'utc' ? 'local' : 'utc';
      const changed: TimeChoice = { ...time, zone };
      return { ...settings, time: changed, inspection: await inspected(source, layout, changed) };
    },
  };
}

/** Returns the error for a file without valid readings. */
export function nothingToStore(name: string): FleetError {
  return new FleetError(
    'invalid',
    vscode.l10n.t('No rows of "{0}" can be imported as readings.', toDisplayText(name)),
  );
}
