import type { Insertable } from 'kysely';
import type { StoreAccess } from '../store';
import type { TrainingLogLineRow, TrainingLogLinesTable } from './trainingSchema';

/** Line to insert. Its sequence number is assigned automatically. */
export type NewTrainingLine = Omit<Insertable<TrainingLogLinesTable>, 'sequence' | 'job_id'>;

/** Adds lines to a job's log. Has no effect if the job was deleted. */
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
  if (isThere === undefined || lines.length === 0) return;
  await access
    .insertInto('training_log_lines')
    .values(lines.map((line) => ({ ...line, job_id: jobId })))
    .execute();
}

/** Returns a job's lines after a sequence number, oldest first. */
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
