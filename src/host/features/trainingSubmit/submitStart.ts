import type { Dataset } from '../../../core/model/dataset';
import type { DatasetTarget } from '../../../core/model/resourceTarget';
import type { TrainingJob } from '../../../core/model/trainingJob';
import { askDataset } from './askDataset';
import type { SubmitPlace } from './submitPlace';
import type { SubmitSubject } from './submitSubject';

/** The job that is submitted again, as it is now; none for a first training. Throws `FleetError`. */
export async function jobOf(
  { stores }: SubmitPlace,
  { job }: SubmitSubject,
): Promise<TrainingJob | undefined> {
  return job && stores.training.get(job);
}

/**
 * The dataset that was clicked, that of the job unless it is gone, or one that is asked for.
 * @param title of what is being submitted
 */
export async function datasetOf(
  place: SubmitPlace,
  { dataset }: SubmitSubject,
  job: TrainingJob | undefined,
  title: string,
): Promise<DatasetTarget> {
  if (dataset) return dataset;
  const { target, stores } = place;
  const all = job ? await stores.datasets.list(target.organizationId) : [];
  const ofJob = all.find(({ id }) => id === job?.datasetId);
  return datasetTarget(place, ofJob ?? (await askDataset(place, title)));
}

/** The model that gets another version; undefined when that is to be asked. */
export function modelNameOf(
  { item }: SubmitSubject,
  job: TrainingJob | undefined,
): string | undefined {
  return job?.modelName ?? (item?.itemType === 'mlModel' ? item.name : undefined);
}

export function datasetTarget(
  { target: { connectionId, organizationId } }: SubmitPlace,
  { id, name }: Dataset,
): DatasetTarget {
  return { kind: 'dataset', connectionId, organizationId, datasetId: id, name };
}
