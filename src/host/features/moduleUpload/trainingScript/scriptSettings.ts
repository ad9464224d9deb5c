import { basename } from 'node:path';
import * as vscode from 'vscode';
import { toDisplayText } from '../../../../core/model/toDisplayText';
import type { ModelFramework, ModelKind, RegistryItem } from '../../../../core/model/registryItem';
import { proposedScriptName } from '../../../../core/modules/upload/proposedScriptName';
import { proposedVersion } from '../../../../core/modules/upload/proposedVersion';
import { itemNameProblem, packageVersionProblem } from '../../../platform/itemNameProblem';
import { inputError, pickOne, promptForText } from '../../../platform/prompts';
import { formatBytes } from '../../../platform/quantityText';
import { escapeIcons, toQuickPickText } from '../../../platform/toQuickPickText';
import { type MenuItem, showSettingsMenu } from '../../../platform/showSettingsMenu';
import type { ChosenScript } from './chooseScript';
import { TRAINING_TASKS } from '../../../../core/model/trainingTask';
import { formatModelFramework, formatModelTask } from '../../../platform/registryText';

/** Upload settings of a training script. */
export interface ScriptSettings extends ChosenScript {
  readonly name: string;
  /** True if no item has this name yet. The first upload then creates the item. */
  readonly isNew: boolean;
  readonly version: string;
  /** Task and format of the script's models; used only for new items. */
  readonly kind: ModelKind | undefined;
}

/** Shows the upload settings until they are valid and the user confirms them. Throws `canceled`. */
export async function configureScript(
  items: readonly RegistryItem[],
  chosen: ChosenScript,
  name: string | undefined,
): Promise<ScriptSettings> {
  const proposed = name ?? proposedScriptName(basename(chosen.path), items);
  const initial = named(items, { ...chosen, kind: undefined }, proposed);
  const title = vscode.l10n.t('Upload Training Script');
  const placeholder = vscode.l10n.t('Press Enter to upload, or select a setting to change');
  return showSettingsMenu(initial, title, placeholder, (settings) => [
    beginItem(settings),
    {
      label: vscode.l10n.t('Name: {0}', toQuickPickText(settings.name)),
      iconPath: new vscode.ThemeIcon('tag'),
      description: settings.isNew ? vscode.l10n.t('a new training script') : '',
      change: async () => named(items, settings, await pickScriptName(items, settings.name)),
    },
    {
      label: vscode.l10n.t('Version: {0}', settings.version),
      iconPath: new vscode.ThemeIcon('versions'),
      change: async () => ({ ...settings, version: await promptForScriptVersion(items, settings) }),
    },
    ...(settings.isNew ? [kindItem(settings)] : []),
  ]);
}

type Item = MenuItem<ScriptSettings>;

function beginItem(settings: ScriptSettings): Item {
  const { isNew, kind, name, version, facts } = settings;
  if (isNew && !kind) return { ...kindItem(settings), label: vscode.l10n.t('Select Models…') };
  const bytes = formatBytes(facts.archiveBytes ?? facts.bytes);
  return {
    label: escapeIcons(
      vscode.l10n.t('Upload {0} of {1} ({2})', version, toDisplayText(name), bytes),
    ),
    iconPath: new vscode.ThemeIcon('cloud-upload'),
  };
}

function kindItem(settings: ScriptSettings): Item {
  const { kind } = settings;
  return {
    label: vscode.l10n.t('Models: {0}', kind ? formatModelKind(kind) : vscode.l10n.t('not known')),
    iconPath: new vscode.ThemeIcon('symbol-class'),
    change: async () => ({ ...settings, kind: await pickModelKind() }),
  };
}

/** Returns the settings with another name and the next version of that item. */
function named(
  items: readonly RegistryItem[],
  settings: ChosenScript & Pick<ScriptSettings, 'kind'>,
  name: string,
): ScriptSettings {
  const item = items.find((one) => one.name === name);
  const versions = item?.versions.map(({ version }) => version) ?? [];
  return { ...settings, name, isNew: item === undefined, version: proposedVersion(versions) };
}

async function pickScriptName(items: readonly RegistryItem[], value: string): Promise<string> {
  const others = new Set(
    items.filter(({ type }) => type !== 'trainingScript').map(({ name }) => name),
  );
  const fresh = { label: vscode.l10n.t('New Training Script…'), name: undefined };
  const known = items
    .filter(({ type }) => type === 'trainingScript')
    .map(({ name }) => ({ label: toQuickPickText(name), name }));
  const { name } =
    known.length === 0
      ? fresh
      : await pickOne([...known, fresh], {
          title: vscode.l10n.t('Name'),
          placeholder: vscode.l10n.t('Which training script do you want to add a version to?'),
        });
  if (name !== undefined) return name;
  const typed = await promptForText({
    title: vscode.l10n.t('Name'),
    prompt: vscode.l10n.t('Letters, digits, dashes, and underscores'),
    value,
    validate: (text) => itemNameProblem(text.trim(), others.has(text.trim())),
  });
  return typed.trim();
}

async function promptForScriptVersion(
  items: readonly RegistryItem[],
  { name, version }: ScriptSettings,
): Promise<string> {
  const item = items.find((one) => one.name === name);
  const taken = new Set(item?.versions.map((one) => one.version) ?? []);
  const typed = await promptForText({
    title: vscode.l10n.t('Version'),
    prompt: vscode.l10n.t('For example, 1.2.3 or a date'),
    value: version,
    validate: (text) => {
      if (taken.has(text.trim())) {
        return inputError(vscode.l10n.t('This version has already been uploaded.'));
      }
      return packageVersionProblem(text.trim());
    },
  });
  return typed.trim();
}

const FRAMEWORKS: readonly Exclude<ModelFramework, 'unspecified'>[] = [
  'tflite',
  'tensorflow',
  'pytorch',
  'onnx',
];

/** Prompts for the task and format of a training script's models. Throws `canceled`. */
async function pickModelKind(): Promise<ModelKind> {
  const title = vscode.l10n.t('Models');
  const { task } = await pickOne(
    TRAINING_TASKS.map((one) => ({ label: formatModelTask(one), task: one })),
    { title, placeholder: vscode.l10n.t('What does the model detect in images?') },
  );
  const { framework } = await pickOne(
    FRAMEWORKS.map((one) => ({ label: formatModelFramework(one), framework: one })),
    { title, placeholder: vscode.l10n.t('Which format do the models use?') },
  );
  return { task, framework };
}

/** Formats the task and format of models, such as `Object detection · TensorFlow Lite`. */
function formatModelKind({ task, framework }: ModelKind): string {
  return `${formatModelTask(task)} · ${formatModelFramework(framework)}`;
}
