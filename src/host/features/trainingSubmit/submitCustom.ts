import * as vscode from 'vscode';
import { toItemName } from '../../../core/model/packageNames';
import type { TrainingJob, TrainingScriptVersion } from '../../../core/model/trainingJob';
import type { TrainableModels } from '../../../core/training/submit/trainableModels';
import { pickScript, pickScriptVersion, scriptVersion } from './pickScript';
import { confirmEmpty } from './trainingPlan';
import {
  modelItems,
  notifySubmitted,
  pickModelName,
  type PlannedModel,
  readModels,
  submitPlan,
  withModel,
} from './submitPlan';
import {
  requireScripts,
  resolveSubmitTarget,
  type SubmitTarget,
  type TrainingSubmitTools,
} from './submitTarget';
import { datasetTarget, findJob, getModelName, pickDataset, resolveDataset } from './pickDataset';
import { submitSubject, type SubmitSubject } from './submitSubject';
import type { DatasetTarget } from '../../../core/model/resourceTarget';
import {
  argumentLine,
  type ArgumentProblem,
  readArguments,
  type ScriptArguments,
} from '../../../core/training/submit/scriptArguments';
import { toQuickPickText } from '../../platform/text/displayText';
import { type MenuItem, showSettingsMenu } from '../../platform/prompts/showSettingsMenu';
import { inputError, promptForText } from '../../platform/prompts/prompts';

/**
 * Submits a training job that uses a registry script.
 * @param argument a training script, a dataset, a job to submit again, or an organization
 */
export async function submitCustom(
  tools: TrainingSubmitTools,
  argument: object | undefined,
): Promise<void> {
  const subject = submitSubject(argument);
  const submitTarget = await resolveSubmitTarget(tools, subject);
  // At this point, the local fleet is already running, possibly because another window started it.
  // The fleet is restarted if the user confirms.
  await requireScripts(tools, submitTarget.target, formatRejection);
  const job = await findJob(submitTarget, subject);
  const title = vscode.l10n.t('Train Model with Script');
  const script = await resolveScript(submitTarget, subject, job, title);
  const dataset = await resolveDataset(submitTarget, subject, job, title);
  const models = await readModels(submitTarget);
  const name =
    getModelName(subject, job) ?? (await pickModelName(models, toItemName(dataset.name)));
  const of = { arguments: job?.arguments ?? {}, container: job?.container ?? '' };
  const plan = withModel({ dataset, script, ...of }, name, models);
  const { organizationId } = submitTarget.target;
  const submitted = await submitPlan<CustomPlan>(submitTarget, plan, models, {
    confirm: (current, known) => configureUntilReady(tools, submitTarget, current, known),
    send: ({ dataset: { datasetId }, ...rest }) =>
      submitTarget.stores.training.submitCustom({ ...rest, organizationId, datasetId }),
  });
  void notifySubmitted(tools, submitTarget, submitted).catch(tools.presentError);
}

/**
 * Shows the settings until the dataset contains images or the user decides to submit the job
 * without images. Throws `canceled`.
 */
async function configureUntilReady(
  tools: TrainingSubmitTools,
  submitTarget: SubmitTarget,
  initial: CustomPlan,
  models: TrainableModels,
): Promise<CustomPlan> {
  let plan = initial;
  do plan = await configureCustomTraining(submitTarget, plan, models);
  while (!(await confirmEmpty(tools, submitTarget.stores, plan.dataset)));
  // While the prompts were open, another window might have restarted the fleet without permission
  // to run scripts.
  await requireScripts(tools, submitTarget.target, formatRejection);
  return plan;
}

async function resolveScript(
  submitTarget: SubmitTarget,
  { item }: SubmitSubject,
  job: TrainingJob | undefined,
  title: string,
): Promise<TrainingScriptVersion> {
  if (job?.script) return scriptVersion(submitTarget, job.script.itemId, job.script.version);
  const scriptItem = item?.itemType === 'trainingScript' ? item : undefined;
  const id = scriptItem?.itemId ?? (await pickScript(submitTarget, title));
  return scriptVersion(submitTarget, id, getClickedVersion(scriptItem));
}

/** Returns the version that was clicked in the tree. */
function getClickedVersion(argument: object | undefined): string | undefined {
  return argument && 'version' in argument && typeof argument.version === 'string'
    ? argument.version
    : undefined;
}

function formatRejection(): string {
  return vscode.l10n.t(
    "This service doesn't run training scripts. Its operator can allow them by starting it with --allow-custom-training.",
  );
}

/** Training job that uses a script and is about to be submitted. */
interface CustomPlan extends PlannedModel {
  readonly dataset: DatasetTarget;
  readonly script: TrainingScriptVersion;
  readonly arguments: ScriptArguments;
  /** Container for the job that is being resubmitted; empty for the default container. */
  readonly container: string;
}

type Item = MenuItem<CustomPlan>;

/** Shows the training settings until the user confirms them. Throws `canceled`. */
function configureCustomTraining(
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

/** Prompts for a training script's arguments other than its data file. Throws `canceled`. */
async function promptForArguments(current: ScriptArguments): Promise<ScriptArguments> {
  const line = await promptForText({
    title: vscode.l10n.t('Arguments'),
    prompt: vscode.l10n.t('Arguments as name=value pairs, such as epochs=10 rate=0.1 (optional)'),
    value: argumentLine(current),
    validate: (text) => {
      const { problem } = readArguments(text);
      return problem && inputError(formatArgumentProblem(problem));
    },
  });
  const read = readArguments(line);
  return read.problem ? current : read.arguments;
}

function formatArgumentProblem(problem: ArgumentProblem): string {
  switch (problem.kind) {
    case 'form':
      return vscode.l10n.t(
        '"{0}" is not a valid argument. Use name=value, for example epochs=10.',
        problem.word,
      );
    case 'repeated':
      return vscode.l10n.t('"{0}" appears twice.', problem.name);
    case 'ofService':
      return vscode.l10n.t('The service sets the argument {0}. Remove it.', problem.name);
    case 'openQuote':
      return vscode.l10n.t('A quotation mark is missing.');
  }
}
