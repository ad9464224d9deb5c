import * as vscode from 'vscode';
import { toItemName } from '../../../core/model/packageNames';
import type { TrainingJob, TrainingScriptVersion } from '../../../core/model/trainingJob';
import type { TrainableModels } from '../../../core/training/submit/trainableModels';
import { pickScript, scriptVersion } from './pickScript';
import { confirmEmpty } from './confirmMissingRequirements';
import { type CustomPlan, configureCustomTraining } from './customPlan';
import { pickModelName, withModel } from './modelItems';
import { requireScripts } from './requireScripts';
import { resolveSubmitTarget, type SubmitTarget } from './resolveSubmitTarget';
import { readModels, submitPlan } from './submitPlan';
import { resolveDataset, findJob, getModelName } from './submitStart';
import { submitSubject, type SubmitSubject } from './submitSubject';
import type { TrainingSubmitTools } from './submitTools';
import { notifySubmitted } from './notifySubmitted';

/**
 * Submits a training that uses a registry script.
 * @param given a training script, a dataset, a job to submit again, or an organization
 */
export async function submitCustom(
  tools: TrainingSubmitTools,
  given: object | undefined,
): Promise<void> {
  const subject = submitSubject(given);
  const submitTarget = await resolveSubmitTarget(tools, subject);
  // The local fleet is already running at this point, possibly because another window has started
  // it. The fleet is restarted if the user confirms.
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
 * Shows the settings until the dataset contains images or the user decides to submit the training
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
  const given = item?.itemType === 'trainingScript' ? item : undefined;
  const id = given?.itemId ?? (await pickScript(submitTarget, title));
  return scriptVersion(submitTarget, id, getClickedVersion(given));
}

/** Returns the version that was clicked in the tree. */
function getClickedVersion(given: object | undefined): string | undefined {
  return given && 'version' in given && typeof given.version === 'string'
    ? given.version
    : undefined;
}

function formatRejection(): string {
  return vscode.l10n.t(
    "This service doesn't run training scripts. Its operator can allow them by starting it with --allow-custom-training.",
  );
}
