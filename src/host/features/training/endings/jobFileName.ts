import { createHash } from 'node:crypto';
import type { AwaitedJob } from './awaitedJobs';

/** What a file about a job is called: ids are what a service says, and name no file themselves. */
export function jobFileName({
  connectionId,
  jobId,
}: Pick<AwaitedJob, 'connectionId' | 'jobId'>): string {
  return createHash('sha256')
    .update(JSON.stringify([connectionId, jobId]))
    .digest('hex');
}
