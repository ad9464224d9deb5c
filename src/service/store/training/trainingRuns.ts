import { type Expression, sql } from 'kysely';
import { isSqlite } from '../isSqlite';
import type { Micros } from '../micros';
import type { StoreAccess } from '../store';
import { TRAINING_STATUS, type TrainingJobRow } from './trainingSchema';

const { pending, inProgress, canceled, canceling, failed } = TRAINING_STATUS;

/**
 * Takes the job that has waited longest for a service that will run it. Of several services one gets it.
 * @returns undefined when none waits.
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
      .set((eb) => ({ attempts: eb('attempts', '+', 1), beat_at: databaseMoment(access) }))
      .where('id', '=', next.id)
      .where('status', '=', pending)
      .returningAll()
      .executeTakeFirst();
    if (taken !== undefined) {
      return taken;
    }
  }
}

/** The jobs that a service runs, as far as they are still its own. Others hear that it lives. */
export async function beatTrainingJobs(
  access: StoreAccess,
  runner: string,
): Promise<Pick<TrainingJobRow, 'id' | 'status'>[]> {
  // One service alone has the embedded store: nobody asks when it last wrote.
  return isSqlite(access)
    ? access
        .selectFrom('training_jobs')
        .select(['id', 'status'])
        .where('runner', '=', runner)
        .execute()
    : access
        .updateTable('training_jobs')
        .set({ beat_at: databaseMoment(access) })
        .where('runner', '=', runner)
        .returning(['id', 'status'])
        .execute();
}

/** How a job ends: the wire's numbers. */
export interface TrainingEnd {
  status: TrainingJobRow['status'];
  error_code?: number;
  error_message?: string;
  package_id?: string;
  model_framework?: number;
}

/**
 * Ends a job, if the service runs it still and nobody has asked it to stop; one that was asked to stop
 * ends as canceled alone.
 * @returns whether it has ended by this.
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
 * Puts a job back that a service does not go on with, because it stops: this was no attempt.
 * @returns whether the service had it.
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

/** What becomes of jobs whose service is gone. */
export interface Abandoned {
  /** The service that looks: what it runs itself is not abandoned. */
  runner: string;
  /** After how many seconds without a word a service that shares the database is taken for gone. */
  silentSeconds: number;
  /** A job that was begun as often as this fails. */
  mostAttempts: number;
  failure: { error_code: number; error_message: string };
  at: Micros;
}

/** Jobs by what has become of them. */
export interface TakenUp {
  again: string[];
  failed: string[];
  canceled: string[];
}

/** Puts back the jobs of services that are gone. Those that were asked to stop have stopped. */
export async function takeUpAbandoned(
  access: StoreAccess,
  { runner, silentSeconds, mostAttempts, failure, at }: Abandoned,
): Promise<TakenUp> {
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
          sql<Micros>`${databaseMoment(access)} - ${silentSeconds * MICROS_PER_SECOND}::bigint`,
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

/** Now, by the one clock that services share; null where one service has the store. */
function databaseMoment(access: StoreAccess): Expression<Micros | null> {
  return isSqlite(access)
    ? sql<null>`null`
    : sql<Micros>`(extract(epoch from clock_timestamp()) * 1000000)::bigint`;
}
