import type { Dataset } from '../../../core/model/dataset';
import type { DatasetTarget } from '../../../core/model/resourceTarget';
import type { TrainingJob } from '../../../core/model/trainingJob';
import { pickDataset } from './pickDataset';
import type { SubmitTarget } from './resolveSubmitTarget';
import type { SubmitSubject } from './submitSubject';

/**
 * Returns the current state of the job that is being resubmitted; undefined for a new training.
 * Throws `FleetError`.
 */
export async function findJob(
  { stores }: SubmitTarget,
  { job }: SubmitSubject,
): Promise<TrainingJob | undefined> {
  return job && stores.training.get(job);
}

/**
 * Returns the dataset: the clicked dataset, the job's dataset unless it was deleted, or a dataset
 * that the user selects.
 * @param title title of the submission
 */
export async function resolveDataset(
  submitTarget: SubmitTarget,
  { dataset }: SubmitSubject,
  job: TrainingJob | undefined,
  title: string,
): Promise<DatasetTarget> {
  if (dataset) return dataset;
  const { target, stores } = submitTarget;
  const all = job ? await stores.datasets.list(target.organizationId) : [];
  const ofJob = all.find(({ id }) => id === job?.datasetId);
  return datasetTarget(submitTarget, ofJob ?? (await pickDataset(submitTarget, title)));
}

/** Returns the name of the model for which a new version is trained; undefined to prompt for it. */
export function getModelName(
  { item }: SubmitSubject,
  job: TrainingJob | undefined,
): string | undefined {
  return job?.modelName ?? (item?.itemType === 'mlModel' ? item.name : undefined);
}

export function datasetTarget(
  { target: { connectionId, organizationId } }: SubmitTarget,
  { id, name }: Dataset,
): DatasetTarget {
  return { kind: 'dataset', connectionId, organizationId, datasetId: id, name };
}
