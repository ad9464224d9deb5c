import * as vscode from 'vscode';
import type { TrainableModels } from '../../../core/training/submit/trainableModels';
import { itemNameProblem, packageVersionProblem } from '../../platform/itemNameProblem';
import { pickOne, promptForText, inputError, type InputProblem } from '../../platform/prompts';
import { toQuickPickText } from '../../platform/toQuickPickText';
import type { MenuItem } from '../../platform/showSettingsMenu';

/** Model that a training creates, and its version. */
export interface PlannedModel {
  readonly modelName: string;
  readonly modelVersion: string;
}

/** Returns menu items that show the current model and prompt for a different one. */
export function modelItems<T extends PlannedModel>(
  plan: T,
  models: TrainableModels,
): readonly MenuItem<T>[] {
  const { modelName, modelVersion } = plan;
  return [
    {
      label: vscode.l10n.t('Model: {0}', toQuickPickText(modelName)),
      description: models.has(modelName) ? '' : vscode.l10n.t('a new model'),
      iconPath: new vscode.ThemeIcon('symbol-misc'),
      change: async () => withModel(plan, await pickModelName(models, modelName), models),
    },
    {
      label: vscode.l10n.t('Version: {0}', toQuickPickText(modelVersion)),
      iconPath: new vscode.ThemeIcon('versions'),
      change: async () => ({ ...plan, modelVersion: await promptForVersion(models, plan) }),
    },
  ];
}

/** Returns a copy of a plan with a model and the model's next version. */
export function withModel<T extends object>(
  plan: T,
  modelName: string,
  models: TrainableModels,
): T & PlannedModel {
  return { ...plan, modelName, modelVersion: models.nextVersion(modelName) };
}

/** Prompts for an existing model, or the name of a new one. Throws `canceled`. */
export async function pickModelName(models: TrainableModels, current: string): Promise<string> {
  const title = vscode.l10n.t('Model');
  const known = models.all.map(({ name, taken }) => ({
    label: toQuickPickText(name),
    ...(taken[0] !== undefined && { description: toQuickPickText(taken[0]) }),
    iconPath: new vscode.ThemeIcon('symbol-misc'),
    name,
  }));
  const fresh = { label: `$(add) ${vscode.l10n.t('New Model…')}`, name: undefined };
  const placeholder = vscode.l10n.t('The training job creates a new version of the selected model');
  const { name } =
    known.length === 0 ? fresh : await pickOne([fresh, ...known], { title, placeholder });
  if (name !== undefined) return name;
  const typed = await promptForText({
    title,
    prompt: vscode.l10n.t('Name of the model (letters, digits, dashes, and underscores)'),
    value: models.has(current) ? '' : current,
    validate: (text) => itemNameProblem(text.trim(), models.isUsedByOtherItem(text.trim())),
  });
  return typed.trim();
}

async function promptForVersion(
  models: TrainableModels,
  { modelName, modelVersion }: PlannedModel,
): Promise<string> {
  const typed = await promptForText({
    title: vscode.l10n.t('Version'),
    prompt: vscode.l10n.t('For example, 1.2.3 or a date'),
    value: modelVersion,
    validate: (text) => versionProblem(text.trim(), modelName, models),
  });
  return typed.trim();
}

function versionProblem(
  version: string,
  name: string,
  models: TrainableModels,
): InputProblem | undefined {
  const problem = packageVersionProblem(version);
  if (problem) return problem;
  if (models.isTaken(name, version)) {
    return inputError(
      vscode.l10n.t('The model already has this version, or a training job is creating it.'),
    );
  }
  if (!models.named(name).failed.includes(version)) return undefined;
  return {
    message: vscode.l10n.t('A training job for this version failed or was canceled.'),
    severity: 'info',
  };
}
