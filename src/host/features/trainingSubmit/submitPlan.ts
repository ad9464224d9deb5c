import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { toDisplayText } from '../../../core/model/displayText';
import type { TrainingJobId } from '../../../core/model/ids';
import { TrainableModels } from '../../../core/training/submit/trainableModels';
import type { SubmitTarget } from './submitTarget';
import { trainingJobTarget } from '../../../core/model/resourceTarget';
import type { FleetTools } from '../../platform/fleetTools';
import { itemNameProblem, packageVersionProblem } from '../../platform/text/nameProblems';
import {
  inputError,
  type InputProblem,
  pickOne,
  promptForText,
} from '../../platform/prompts/prompts';
import { toQuickPickText } from '../../platform/text/displayText';
import type { MenuItem } from '../../platform/prompts/showSettingsMenu';

/** Reads an organization's current models and jobs. Throws `FleetError`. */
export async function readModels({ target, stores }: SubmitTarget): Promise<TrainableModels> {
  const { organizationId } = target;
  const [items, jobs] = await Promise.all([
    stores.registry.list(organizationId, { fresh: true }),
    stores.training.list(organizationId, { fresh: true }),
  ]);
  return new TrainableModels(items, jobs);
}

/** Prompts and request for one kind of training. */
export interface Submission<Plan extends PlannedModel> {
  /** Shows the plan until the user confirms it. Throws `canceled`. */
  readonly confirm: (plan: Plan, models: TrainableModels) => Promise<Plan>;
  readonly send: (plan: Plan) => Promise<TrainingJobId>;
}

/** Submitted plan and its job. */
interface Submitted<Plan extends PlannedModel> {
  readonly plan: Plan;
  readonly jobId: TrainingJobId;
}

/**
 * Submits the plan that the user has confirmed. If another user has created the version in the
 * meantime, shows the menu again with the next version and the user's other settings. Throws
 * `canceled` and `FleetError`.
 */
export async function submitPlan<Plan extends PlannedModel>(
  submitTarget: SubmitTarget,
  initial: Plan,
  known: TrainableModels,
  { confirm, send }: Submission<Plan>,
): Promise<Submitted<Plan>> {
  let [plan, models] = [initial, known];
  for (;;) {
    const confirmed = await confirm(plan, models);
    try {
      return { plan: confirmed, jobId: await submitting(() => send(confirmed)) };
    } catch (error) {
      if (!(error instanceof FleetError) || error.kind !== 'invalid') throw error;
      models = await readModels(submitTarget);
      const { modelName, modelVersion } = confirmed;
      if (!models.isTaken(modelName, modelVersion)) throw error;
      plan = { ...confirmed, modelVersion: models.nextVersion(modelName) };
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          'Another upload already uses version {1} of "{0}". Using the next version instead.',
          toDisplayText(modelName),
          toDisplayText(modelVersion),
        ),
      );
    }
  }
}

/**
 * Shows progress without a cancel button, because it would be unknown whether a canceled submission
 * created a job.
 */
function submitting<T>(send: () => Promise<T>): Thenable<T> {
  const title = vscode.l10n.t('Submitting the training job');
  const options = { location: vscode.ProgressLocation.Notification, title };
  return vscode.window.withProgress(options, send);
}

/** Reports that a training job was submitted, with a link to the job. */
export async function notifySubmitted(
  { commands }: Pick<FleetTools, 'commands'>,
  { target: { connectionId, organizationId } }: SubmitTarget,
  { plan: { modelName, modelVersion }, jobId }: Submitted<PlannedModel>,
): Promise<void> {
  const show = vscode.l10n.t('Show Training');
  const message = vscode.l10n.t(
    'Submitted the training job for {0}, version {1}.',
    toDisplayText(modelName),
    toDisplayText(modelVersion),
  );
  if ((await vscode.window.showInformationMessage(message, show)) !== show) return;
  const job = { id: jobId, organizationId, modelName, modelVersion };
  await commands.execute('fleetwright.training.show', trainingJobTarget(connectionId, job));
}

/** Model that a training job creates, and its version. */
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

/** Returns a copy of a plan with a different model and that model's next version. */
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
