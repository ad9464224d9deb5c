import { basename } from 'node:path';
import * as vscode from 'vscode';
import { toDisplayText } from '../../../../core/model/displayText';
import type { ModelFramework, ModelKind, RegistryItem } from '../../../../core/model/registryItem';
import { proposedScriptName } from '../../../../core/model/packageNames';
import { proposedVersion } from '../../../../core/modules/upload/versionProblem';
import { itemNameProblem, packageVersionProblem } from '../../../platform/text/nameProblems';
import { inputError, pickOne, promptForText } from '../../../platform/prompts/prompts';
import { escapeIcons, formatBytes, toQuickPickText } from '../../../platform/text/displayText';
import { type MenuItem, showSettingsMenu } from '../../../platform/prompts/showSettingsMenu';
import { TRAINING_TASKS } from '../../../../core/model/trainingJob';
import { formatModelFramework, formatModelTask } from '../../../platform/text/registryText';
import { FleetError } from '../../../../core/api/errors';
import {
  type BuildFacts,
  type BuildReader,
  hasTrainingFile,
  TRAINING_FILE,
} from '../../../../core/modules/buildFacts';
import { prepareBuild } from '../../../../core/modules/upload/preparedBuild';
import { trackProgress } from '../../../platform/commands/progress';
import { pickBuild, requireUploadable } from './findBuilds';

/** Upload settings for a training script. */
export interface ScriptSettings extends ChosenScript {
  readonly name: string;
  /** True if no item has this name yet. The first upload then creates the item. */
  readonly isNew: boolean;
  readonly version: string;
  /** Task and format of the script's models; used only if the item is new. */
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

/** Training script on this computer that can be uploaded. */
interface ChosenScript {
  /** Absolute path of a folder or an archive. */
  readonly path: string;
  readonly facts: BuildFacts;
}

/**
 * Prompts for a training script and inspects it. Throws `canceled`, and `invalid` if the selection
 * is not a valid training script.
 */
export async function chooseScript(
  reader: BuildReader,
  argument: vscode.Uri | undefined,
): Promise<ChosenScript> {
  const path = argument?.fsPath ?? (await pickScript());
  const { facts } = await trackProgress(
    vscode.l10n.t('Checking the training script'),
    async (signal) => {
      const prepared = await prepareBuild(reader, { path }, undefined, { signal });
      requireUploadable(prepared);
      const facts = await reader.inspect(path, { entrypoint: TRAINING_FILE }, { signal });
      return { ...prepared, facts };
    },
  );
  if (hasTrainingFile(facts)) return { path, facts };
  throw new FleetError(
    'invalid',
    vscode.l10n.t(
      "{0} doesn't contain {1}, the file that training jobs run. Nothing was uploaded.",
      toDisplayText(vscode.workspace.asRelativePath(path)),
      TRAINING_FILE,
    ),
  );
}

async function pickScript(): Promise<string> {
  const items = [
    {
      label: vscode.l10n.t('Select Folder (Packed Automatically)…'),
      form: 'folder' as const,
    },
    { label: vscode.l10n.t('Select Archive (.tar.gz)…'), form: 'archive' as const },
  ];
  const { form } = await pickOne(items, {
    title: vscode.l10n.t('Upload Training Script'),
    placeholder: vscode.l10n.t('A Python package that uses {0}', TRAINING_FILE),
  });
  return pickBuild(form, undefined);
}
