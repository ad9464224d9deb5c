import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import type { DatasetReadiness } from '../../../core/data/datasets/datasetReadiness';
import { toItemName } from '../../../core/model/packageNames';
import type { DatasetTarget } from '../../../core/model/resourceTarget';
import type { TrainableModels } from '../../../core/training/submit/trainableModels';
import { learnableLabels } from '../../../core/training/submit/missingRequirement';
import { isTrainingTask } from '../../../core/model/trainingJob';
import { pickLabels, pickTask } from './pickTask';
import { configureTraining, confirmMissingRequirements, type TrainingPlan } from './trainingPlan';
import { describeNothingToLearn, loadReadiness } from './missingRequirements';
import { notifySubmitted, pickModelName, readModels, submitPlan, withModel } from './submitPlan';
import { resolveSubmitTarget, type SubmitTarget, type TrainingSubmitTools } from './submitTarget';
import { findJob, getModelName, resolveDataset } from './pickDataset';
import { submitSubject } from './submitSubject';

/**
 * Submits a managed training job, or passes a job that uses a script to {@link submitCustom}.
 * @param argument a dataset, a job to submit again, a model for which a new version is trained, or an
 *   organization
 */
export async function submitTraining(
  tools: TrainingSubmitTools,
  argument: object | undefined,
): Promise<void> {
  const subject = submitSubject(argument);
  const submitTarget = await resolveSubmitTarget(tools, subject);
  const job = await findJob(submitTarget, subject);
  if (job?.script) {
    await tools.commands.execute('fleetwright.training.submitCustom', argument);
    return;
  }
  const title = vscode.l10n.t('Train Model');
  const dataset = await resolveDataset(submitTarget, subject, job, title);
  const { organizationId } = submitTarget.target;
  const readiness = await loadReadiness(submitTarget.stores, organizationId, dataset.datasetId);
  const models = await readModels(submitTarget);
  const task = job && isTrainingTask(job.task) ? job.task : await pickTask(readiness, title);
  const learnable = learnableLabels(readiness, task);
  if (!job) requireLabels(dataset, readiness, learnable);
  const labels = job ? job.labels : await pickLabels(readiness, task, learnable, title);
  const name =
    getModelName(subject, job) ?? (await pickModelName(models, toItemName(dataset.name)));
  const plan = withModel({ dataset, readiness, task, labels }, name, models);
  const submitted = await submitPlan<TrainingPlan>(submitTarget, plan, models, {
    confirm: (current, known) => configureUntilReady(tools, submitTarget, current, known),
    send: ({ modelName, modelVersion, ...rest }) =>
      submitTarget.stores.training.submit({
        organizationId,
        datasetId: rest.dataset.datasetId,
        modelName,
        modelVersion,
        task: rest.task,
        labels: rest.labels,
      }),
  });
  void notifySubmitted(tools, submitTarget, submitted).catch(tools.presentError);
}

/**
 * Shows the settings until the dataset is ready or the user decides to submit the job anyway.
 * Throws `canceled`.
 */
async function configureUntilReady(
  tools: TrainingSubmitTools,
  submitTarget: SubmitTarget,
  initial: TrainingPlan,
  models: TrainableModels,
): Promise<TrainingPlan> {
  let plan = initial;
  do plan = await configureTraining(submitTarget, plan, models);
  while (!(await confirmMissingRequirements(tools, plan)));
  return plan;
}

function requireLabels(
  { name }: DatasetTarget,
  readiness: DatasetReadiness,
  learnable: readonly string[],
): void {
  if (learnable.length === 0) {
    throw new FleetError('invalid', describeNothingToLearn(name, readiness));
  }
}
