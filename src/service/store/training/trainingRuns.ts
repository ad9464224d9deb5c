import { type Expression, sql } from 'kysely';
import { isSqlite } from '../isSqlite';
import type { Micros } from '../micros';
import type { StoreAccess } from '../store';
import { TRAINING_STATUS, type TrainingJobRow } from './trainingSchema';

const { pending, inProgress, canceled, canceling, failed } = TRAINING_STATUS;

/**
 * Assigns the oldest waiting job to a service that will run it. If several services race, one of
 * them gets it.
 * @returns undefined if none is waiting.
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
    if (next === undefined) {
      return undefined;
    }
    const taken = await access
      .updateTable('training_jobs')
      .set({ status: inProgress, runner, started_at: at, modified_at: at })
      .set((eb) => ({ attempts: eb('attempts', '+', 1), beat_at: getDatabaseTime(access) }))
      .where('id', '=', next.id)
      .where('status', '=', pending)
      .returningAll()
      .executeTakeFirst();
    if (taken !== undefined) {
      return taken;
    }
  }
}

/** Heartbeat of a service: renews its leases on jobs and returns the jobs that it still owns. */
export async function beatTrainingJobs(
  access: StoreAccess,
  runner: string,
): Promise<Pick<TrainingJobRow, 'id' | 'status'>[]> {
  // The embedded store has only one service, so no one needs to check its last heartbeat.
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

/** Outcome of a job, as wire numbers. */
export interface TrainingEnd {
  status: TrainingJobRow['status'];
  error_code?: number;
  error_message?: string;
  package_id?: string;
  model_framework?: number;
}

/**
 * Ends a job if the service still runs it and no one has requested that it stop; a job that was
 * requested to stop can only end as canceled.
 * @returns true if this call ended it.
 */
export async function endTrainingJob(
  access: StoreAccess,
  { id, runner }: { id: string; runner: string },
  end: TrainingEnd,
  at: Micros,
): Promise<boolean> {
  const from = end.status === canceled ? canceling : inProgress;
  const { numUpdatedRows } = await access
    .updateTable('training_jobs')
    .set({ ...end, runner: null, beat_at: null, ended_at: at, modified_at: at })
    .where('id', '=', id)
    .where('runner', '=', runner)
    .where('status', '=', from)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Requeues a job because the service that runs it is stopping; this doesn't count as an attempt.
 * @returns true if the service owned it.
 */
export async function putBackTrainingJob(
  access: StoreAccess,
  { id, runner }: { id: string; runner: string },
  at: Micros,
): Promise<boolean> {
  const { numUpdatedRows } = await access
    .updateTable('training_jobs')
    .set({ status: pending, runner: null, beat_at: null, started_at: null, modified_at: at })
    .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
    .where('id', '=', id)
    .where('runner', '=', runner)
    .where('status', '=', inProgress)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Criteria for abandoned jobs, whose service is gone. */
export interface Abandoned {
  /** The service that checks, whose own jobs aren't abandoned. */
  runner: string;
  /** Seconds without a heartbeat after which a service that shares the database counts as gone. */
  silentSeconds: number;
  /** Maximum number of attempts, after which a job fails. */
  mostAttempts: number;
  failure: { error_code: number; error_message: string };
  at: Micros;
}

/** Reclaimed jobs by outcome. */
export interface ReclaimedJobs {
  again: string[];
  failed: string[];
  canceled: string[];
}

/**
 * Requeues the jobs of services that are gone. Jobs that were requested to stop become canceled.
 */
export async function takeUpAbandoned(
  access: StoreAccess,
  { runner, silentSeconds, mostAttempts, failure, at }: Abandoned,
): Promise<ReclaimedJobs> {
  const free = { runner: null, beat_at: null, modified_at: at };
  const change = (from: number, to: Partial<TrainingJobRow>) =>
    access
      .updateTable('training_jobs')
      .set({ ...free, ...to })
      .where('status', '=', from as TrainingJobRow['status'])
      .where('runner', '!=', runner)
      .$if(!isSqlite(access), (query) =>
        query.where(
          'beat_at',
          '<',
          sql<Micros>`${getDatabaseTime(access)} - ${silentSeconds * MICROS_PER_SECOND}::bigint`,
        ),
      )
      .returning('id');
  const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);
  const ended = { ended_at: at };
  return {
    canceled: idsOf(await change(canceling, { status: canceled, ...ended }).execute()),
    failed: idsOf(
      await change(inProgress, { status: failed, ...failure, ...ended })
        .where('attempts', '>=', mostAttempts)
        .execute(),
    ),
    again: idsOf(await change(inProgress, { status: pending, started_at: null }).execute()),
  };
}

const MICROS_PER_SECOND = 1_000_000;

/**
 * Current time of the database, the only clock that services share; null if a single service has
 * the store.
 */
function getDatabaseTime(access: StoreAccess): Expression<Micros | null> {
  return isSqlite(access)
    ? sql<null>`null`
    : sql<Micros>`(extract(epoch from clock_timestamp()) * 1000000)::bigint`;
}
