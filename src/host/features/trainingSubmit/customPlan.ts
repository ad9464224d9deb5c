import * as vscode from 'vscode';
import type { DatasetTarget } from '../../../core/model/resourceTarget';
import type { TrainingScriptVersion } from '../../../core/model/trainingJob';
import { argumentLine, type ScriptArguments } from '../../../core/training/submit/scriptArguments';
import type { TrainableModels } from '../../../core/training/submit/trainableModels';
import { toQuickPickText } from '../../platform/toQuickPickText';
import { type MenuItem, showSettingsMenu } from '../../platform/showSettingsMenu';
import { promptForArguments } from './promptForArguments';
import { pickDataset } from './pickDataset';
import { pickScript, pickScriptVersion, scriptVersion } from './pickScript';
import { modelItems, type PlannedModel } from './modelItems';
import { datasetTarget } from './submitStart';
import type { SubmitTarget } from './resolveSubmitTarget';

/** Training that uses a script and is about to be submitted. */
export interface CustomPlan extends PlannedModel {
  readonly dataset: DatasetTarget;
  readonly script: TrainingScriptVersion;
  readonly arguments: ScriptArguments;
  /** Container of the job that is being resubmitted; empty for the default container. */
  readonly container: string;
}

type Item = MenuItem<CustomPlan>;

/** Shows the training settings until the user confirms them. Throws `canceled`. */
export function configureCustomTraining(
  submitTarget: SubmitTarget,
  plan: CustomPlan,
  models: TrainableModels,
): Promise<CustomPlan> {
  const title = vscode.l10n.t('Train Model with Script');
  const placeholder = vscode.l10n.t('Press Enter to submit, or select a setting to change');
  return showSettingsMenu(plan, title, placeholder, (settings) => [
    {
      label: vscode.l10n.t(
        'Train {0} {1}',
        toQuickPickText(settings.modelName),
        toQuickPickText(settings.modelVersion),
      ),
      iconPath: new vscode.ThemeIcon('play'),
    },
    datasetItem(submitTarget, settings, title),
    ...scriptItems(submitTarget, settings, title),
    ...modelItems(settings, models),
  ]);
}

function datasetItem(submitTarget: SubmitTarget, plan: CustomPlan, title: string): Item {
  return {
    label: vscode.l10n.t('Dataset: {0}', toQuickPickText(plan.dataset.name)),
    iconPath: new vscode.ThemeIcon('library'),
    change: async () => {
      const dataset = await pickDataset(submitTarget, title, plan.dataset.datasetId);
      return { ...plan, dataset: datasetTarget(submitTarget, dataset) };
    },
  };
}

function scriptItems(submitTarget: SubmitTarget, plan: CustomPlan, title: string): readonly Item[] {
  const { script } = plan;
  const line = argumentLine(plan.arguments);
  return [
    {
      label: vscode.l10n.t('Training script: {0}', toQuickPickText(script.itemId)),
      iconPath: new vscode.ThemeIcon('file-code'),
      change: async () => ({
        ...plan,
        script: await scriptVersion(submitTarget, await pickScript(submitTarget, title)),
        // Another script might require a different container.
        container: '',
      }),
    },
    {
      label: vscode.l10n.t('Script version: {0}', toQuickPickText(script.version)),
      iconPath: new vscode.ThemeIcon('versions'),
      change: async () => {
        const version = await pickScriptVersion(submitTarget, script);
        return { ...plan, script: { ...script, version } };
      },
    },
    {
      label: vscode.l10n.t(
        'Arguments: {0}',
        line === '' ? vscode.l10n.t('none') : toQuickPickText(line),
      ),
      iconPath: new vscode.ThemeIcon('symbol-parameter'),
      change: async () => ({ ...plan, arguments: await promptForArguments(plan.arguments) }),
    },
  ];
}
