import type { Insertable } from 'kysely';
import type { StoreAccess } from '../store';
import type { TrainingLogLineRow, TrainingLogLinesTable } from './trainingSchema';

/** A line to write down, which gets its place by itself. */
export type NewTrainingLine = Omit<Insertable<TrainingLogLinesTable>, 'sequence' | 'job_id'>;

/** Adds lines to what a job has logged; to none when the job is gone. */
export async function insertTrainingLines(
  access: StoreAccess,
  jobId: string,
  lines: readonly NewTrainingLine[],
): Promise<void> {
  const isThere = await access
    .selectFrom('training_jobs')
    .select('id')
    .where('id', '=', jobId)
    .executeTakeFirst();
  if (isThere === undefined || lines.length === 0) {
    return;
  }
  await access
    .insertInto('training_log_lines')
    .values(lines.map((line) => ({ ...line, job_id: jobId })))
    .execute();
}

/** Lines of a job after the one with a sequence, the oldest first. */
export async function trainingLinesAfter(
  access: StoreAccess,
  jobId: string,
  after: number,
  limit: number,
): Promise<TrainingLogLineRow[]> {
  return access
    .selectFrom('training_log_lines')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute();
}
