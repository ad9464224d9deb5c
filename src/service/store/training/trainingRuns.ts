import { type Expression, sql } from 'kysely';
import { isSqlite, type StoreAccess } from '../store';
import type { Micros } from '../micros';
import { TRAINING_STATUS, type TrainingJobRow } from './trainingSchema';

const { pending, inProgress, canceled, canceling, failed } = TRAINING_STATUS;

/**
 * Assigns the oldest waiting job to a service, which must then run it. If services race, only one
 * of them gets the job.
 * @returns undefined if no job is waiting.
 */
export async function takeTrainingJob(
  access: StoreAccess,
  runner: string,
  at: Micros,
): Promise<TrainingJobRow | undefined> {
  for (;;) {
    const next = await access
      .selectFrom('training_jobs')
      .select('id')
      .where('status', '=', pending)
      .orderBy('sequence')
      .limit(1)
      .executeTakeFirst();
    if (next === undefined) return undefined;
    const taken = await access
      .updateTable('training_jobs')
      .set({ status: inProgress, runner, started_at: at, modified_at: at })
      .set((eb) => ({ attempts: eb('attempts', '+', 1), beat_at: getDatabaseTime(access) }))
      .where('id', '=', next.id)
      .where('status', '=', pending)
      .returningAll()
      .executeTakeFirst();
    if (taken !== undefined) return taken;
  }
}

/** Returns the number of jobs that wait for a service to run them. */
export async function countPendingJobs(access: StoreAccess): Promise<number> {
  const { count } = await access
    .selectFrom('training_jobs')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('status', '=', pending)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Records a service's heartbeat. Renews the service's leases on jobs and returns the jobs that it
 * still owns.
 */
export async function beatTrainingJobs(
  access: StoreAccess,
  runner: string,
): Promise<Pick<TrainingJobRow, 'id' | 'status'>[]> {
  // Only one service uses the embedded store, so no other service needs to check the heartbeat.
  return isSqlite(access)
    ? access
        .selectFrom('training_jobs')
        .select(['id', 'status'])
        .where('runner', '=', runner)
        .execute()
    : access
        .updateTable('training_jobs')
        .set({ beat_at: getDatabaseTime(access) })
        .where('runner', '=', runner)
        .returning(['id', 'status'])
        .execute();
}

/** A run of a job. A service that loses a job and takes it again has another run. */
export interface TrainingRunKey {
  id: string;
  runner: string;
  /** Fencing token: number of the attempt. */
  attempts: number;
}

/** A job's outcome, as numeric wire values. */
export interface TrainingEnd {
  status: TrainingJobRow['status'];
  error_code?: number;
  error_message?: string;
  package_id?: string;
  model_framework?: number;
}

/**
 * Ends a job if the service still runs it and no one has requested that it stop. If a stop has been
 * requested, the job can end only as canceled.
 * @returns true if this call ended the job.
 */
export async function endTrainingJob(
  access: StoreAccess,
  { id, runner, attempts }: TrainingRunKey,
  end: TrainingEnd,
  at: Micros,
): Promise<boolean> {
  const from = end.status === canceled ? canceling : inProgress;
  const { numUpdatedRows } = await access
    .updateTable('training_jobs')
    .set({ ...end, runner: null, beat_at: null, ended_at: at, modified_at: at })
    .where('id', '=', id)
    .where('runner', '=', runner)
    .where('attempts', '=', attempts)
    .where('status', '=', from)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Requeues a job because the service that runs it is stopping. This run doesn't count as an
 * attempt.
 * @returns true if the service owned the job.
 */
export async function requeueTrainingJob(
  access: StoreAccess,
  { id, runner, attempts }: TrainingRunKey,
  at: Micros,
): Promise<boolean> {
  const { numUpdatedRows } = await access
    .updateTable('training_jobs')
    .set({ status: pending, runner: null, beat_at: null, started_at: null, modified_at: at })
    .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
    .where('id', '=', id)
    .where('runner', '=', runner)
    .where('attempts', '=', attempts)
    .where('status', '=', inProgress)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Criteria for abandoned jobs, which no service is running. */
export interface Abandoned {
  /** Service that performs the check. */
  runner: string;
  /**
   * IDs of the jobs that it is running. Its other jobs are abandoned: it lost the response to their
   * claim, or could not store their end.
   */
  running: readonly string[];
  /**
   * Number of seconds without a heartbeat after which a service that shares the database is assumed
   * to be no longer running.
   */
  silentSeconds: number;
  /** Maximum number of attempts. When it is reached, the job fails. */
  maxAttempts: number;
  failure: { error_code: number; error_message: string };
  at: Micros;
}

/** Reclaimed jobs by outcome. */
export interface ReclaimedJobs {
  again: string[];
  failed: string[];
  canceled: string[];
}

/** Requeues abandoned jobs. Marks jobs with a requested stop as canceled. */
export async function requeueAbandonedJobs(
  access: StoreAccess,
  { runner, running, silentSeconds, maxAttempts, failure, at }: Abandoned,
): Promise<ReclaimedJobs> {
  const free = { runner: null, beat_at: null, modified_at: at };
  const change = (from: number, to: Partial<TrainingJobRow>) =>
    access
      .updateTable('training_jobs')
      .set({ ...free, ...to })
      .where('status', '=', from as TrainingJobRow['status'])
      .where((eb) => {
        const ofOthers = [eb('runner', '!=', runner)];
        if (!isSqlite(access)) {
          const time = getDatabaseTime(access);
          const silence = silentSeconds * MICROS_PER_SECOND;
          ofOthers.push(eb('beat_at', '<', sql<Micros>`${time} - ${silence}::bigint`));
        }
        const own = [eb('runner', '=', runner)];
        if (running.length > 0) own.push(eb('id', 'not in', running));
        return eb.or([eb.and(ofOthers), eb.and(own)]);
      })
      .returning('id');
  const getIds = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);
  const ended = { ended_at: at };
  return {
    canceled: getIds(await change(canceling, { status: canceled, ...ended }).execute()),
    failed: getIds(
      await change(inProgress, { status: failed, ...failure, ...ended })
        .where('attempts', '>=', maxAttempts)
        .execute(),
    ),
    again: getIds(await change(inProgress, { status: pending, started_at: null }).execute()),
  };
}

const MICROS_PER_SECOND = 1_000_000;

/**
 * Returns the database's current time, which is the only clock that all services share. Returns
 * null if only one service uses the store.
 */
function getDatabaseTime(access: StoreAccess): Expression<Micros | null> {
  return isSqlite(access)
    ? sql<null>`null`
    : sql<Micros>`(extract(epoch from clock_timestamp()) * 1000000)::bigint`;
}
