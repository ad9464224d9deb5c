import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import type { DatasetReadiness } from '../../../core/data/datasets/datasetReadiness';
import { itemNameOf } from '../../../core/model/packageNames';
import type { DatasetTarget } from '../../../core/model/resourceTarget';
import type { TrainableModels } from '../../../core/training/submit/trainableModels';
import { learnableLabels } from '../../../core/training/submit/trainingLack';
import { isTrainingTask } from '../../../core/model/trainingTask';
import { askLabels } from './askLabels';
import { askTask } from './askTask';
import { confirmLacks } from './confirmLacks';
import { nothingToLearnText } from './lackText';
import { askModelName, withModel } from './modelItems';
import { readinessOf } from './readinessOf';
import { submitPlace, type SubmitPlace } from './submitPlace';
import { readModels, submitSettled } from './submitSettled';
import { datasetOf, jobOf, modelNameOf } from './submitStart';
import { submitSubject } from './submitSubject';
import type { TrainingSubmitTools } from './submitTools';
import { tellSubmitted } from './tellSubmitted';
import { settleTraining, type TrainingPlan } from './trainingPlan';

/**
 * Submits a managed training; a job with a script is passed to `submitCustom`.
 * @param given a dataset, a job to submit again, a model that gets another version, or an
 *   organization
 */
export async function submitTraining(
  tools: TrainingSubmitTools,
  given: object | undefined,
): Promise<void> {
  const subject = submitSubject(given);
  const place = await submitPlace(tools, subject);
  const job = await jobOf(place, subject);
  if (job?.script) {
    await tools.commands.execute('fleetwright.training.submitCustom', given);
    return;
  }
  const title = vscode.l10n.t('Train Model');
  const dataset = await datasetOf(place, subject, job, title);
  const { organizationId } = place.target;
  const readiness = await readinessOf(place.stores, organizationId, dataset.datasetId);
  const models = await readModels(place);
  const task = job && isTrainingTask(job.task) ? job.task : await askTask(readiness, title);
  const learnable = learnableLabels(readiness, task);
  if (!job) requireLabels(dataset, readiness, learnable);
  const labels = job ? job.labels : await askLabels(readiness, task, learnable, title);
  const name = modelNameOf(subject, job) ?? (await askModelName(models, itemNameOf(dataset.name)));
  const plan = withModel({ dataset, readiness, task, labels }, name, models);
  const submitted = await submitSettled<TrainingPlan>(place, plan, models, {
    settle: (settled, known) => settleReady(tools, place, settled, known),
    send: ({ modelName, modelVersion, ...rest }) =>
      place.stores.training.submit({
        ...{ organizationId, datasetId: rest.dataset.datasetId, modelName, modelVersion },
        ...{ task: rest.task, labels: rest.labels },
      }),
  });
  void tellSubmitted(tools, place, submitted).catch(tools.presentError);
}

/**
 * Shows the settings until the dataset is ready, or the user submits it anyway. Throws `canceled`.
 */
async function settleReady(
  tools: TrainingSubmitTools,
  place: SubmitPlace,
  initial: TrainingPlan,
  models: TrainableModels,
): Promise<TrainingPlan> {
  let plan = initial;
  do plan = await settleTraining(place, plan, models);
  while (!(await confirmLacks(tools, plan)));
  return plan;
}

function requireLabels(
  { name }: DatasetTarget,
  readiness: DatasetReadiness,
  learnable: readonly string[],
): void {
  if (learnable.length === 0) throw new FleetError('invalid', nothingToLearnText(name, readiness));
}
