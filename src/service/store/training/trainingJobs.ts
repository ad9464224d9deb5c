import { type Micros } from '../micros';
import type { StoreAccess } from '../store';
import { TRAINING_STATUS, type TrainingJobRow, type TrainingStatus } from './trainingSchema';

const { pending, inProgress, completed, failed, canceled, canceling } = TRAINING_STATUS;

/**
 * Statuses in which a job reserves its model version, which prevents other jobs from creating that
 * version.
 */
const HOLDING_VERSION: readonly TrainingStatus[] = [pending, inProgress, completed, canceling];
const ENDED: readonly TrainingStatus[] = [completed, failed, canceled];

/** Columns of a job that are set when it is submitted. */
export type NewTrainingJob = Pick<
  TrainingJobRow,
  | 'id'
  | 'organization_id'
  | 'dataset_id'
  | 'model_name'
  | 'model_version'
  | 'model_type'
  | 'model_framework'
  | 'labels'
  | 'script_id'
  | 'script_item_id'
  | 'script_version'
  | 'arguments'
  | 'container_version'
  | 'created_at'
>;

/**
 * Adds a waiting job.
 * @returns false, without changes, if another job has already reserved the model version.
 */
export async function insertTrainingJob(
  access: StoreAccess,
  job: NewTrainingJob,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await access
    .insertInto('training_jobs')
    .values({
      ...job,
      status: pending,
      attempts: 0,
      package_id: '',
      modified_at: job.created_at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/**
 * Returns true if a job reserves a model version, that is, if the job hasn't failed and wasn't
 * canceled.
 */
export async function hasJobForVersion(
  access: StoreAccess,
  model: Pick<TrainingJobRow, 'organization_id' | 'model_name' | 'model_version'>,
): Promise<boolean> {
  const row = await access
    .selectFrom('training_jobs')
    .select('id')
    .where('organization_id', '=', model.organization_id)
    .where('model_name', '=', model.model_name)
    .where('model_version', '=', model.model_version)
    .where('status', 'in', HOLDING_VERSION)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the number of waiting jobs in an organization. */
export async function countWaitingJobs(
  access: StoreAccess,
  organizationId: string,
): Promise<number> {
  const { count } = await access
    .selectFrom('training_jobs')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('status', '=', pending)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function findTrainingJob(
  access: StoreAccess,
  id: string,
): Promise<TrainingJobRow | undefined> {
  return access.selectFrom('training_jobs').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Returns an organization's jobs, newest first.
 * @param status numeric wire value for the status to filter by; undefined for all jobs.
 */
export async function listTrainingJobs(
  access: StoreAccess,
  organizationId: string,
  status: number | undefined,
): Promise<TrainingJobRow[]> {
  return access
    .selectFrom('training_jobs')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .$if(status !== undefined, (query) => query.where('status', '=', status as TrainingStatus))
    .orderBy('sequence', 'desc')
    .execute();
}

/**
 * Result of a cancellation. `canceling` means that this call requested it, `asked` that it was
 * requested earlier, `ended` that the job has already ended, and `absent` that the job doesn't
 * exist.
 */
export type Canceling = 'canceling' | 'asked' | 'ended' | 'absent';

/** Cancels a waiting job, or requests that a running job stop. */
export async function cancelTrainingJob(
  access: StoreAccess,
  id: string,
  at: Micros,
): Promise<Canceling> {
  const change = async (from: TrainingStatus, to: Partial<TrainingJobRow>): Promise<boolean> => {
    const { numUpdatedRows } = await access
      .updateTable('training_jobs')
      .set({ ...to, modified_at: at })
      .where('id', '=', id)
      .where('status', '=', from)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  };
  for (;;) {
    const waited = await change(pending, { status: canceled, ended_at: at });
    if (waited || (await change(inProgress, { status: canceling }))) return 'canceling';
    const row = await findTrainingJob(access, id);
    switch (row?.status) {
      case undefined:
        return 'absent';
      case canceling:
      case canceled:
        return 'asked';
      case pending:
      case inProgress:
        // The job was started or requeued between the two attempts.
        continue;
      default:
        return 'ended';
    }
  }
}

/** Deletes the record and log for a job that has ended. Returns false if the job hasn't ended. */
export async function deleteEndedTrainingJob(access: StoreAccess, id: string): Promise<boolean> {
  const { numDeletedRows } = await access
    .deleteFrom('training_jobs')
    .where('id', '=', id)
    .where('status', 'in', ENDED)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
