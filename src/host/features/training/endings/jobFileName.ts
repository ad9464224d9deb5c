import { createHash } from 'node:crypto';
import type { AwaitedJob } from './awaitedJobs';

/**
 * Returns a file name for a job. Job IDs can't be used as file names, because they come from the
 * service and aren't trusted.
 */
export function jobFileName({
  connectionId,
  jobId,
}: Pick<AwaitedJob, 'connectionId' | 'jobId'>): string {
  return createHash('sha256')
    .update(JSON.stringify([connectionId, jobId]))
    .digest('hex');
}
