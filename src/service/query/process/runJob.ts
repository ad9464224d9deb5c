import { existsSync } from 'node:fs';
import { Code } from '@connectrpc/connect';
import type { JobMessage } from '../jobMessages';
import { JobError } from './jobError';
import { checkFiles } from './lake/checkFiles';
import { mergeFiles } from './lake/mergeFiles';
import { sealReadings } from './lake/sealReadings';
import { runPipeline } from './pipeline/runPipeline';
import { runSql } from './sql/runSql';

/**
 * Runs a job and yields its result. Releases the resources of the job when the iteration ends.
 * @throws JobError NotFound if the readings of a query were deleted with their organization.
 */
export async function* runJob(message: JobMessage): AsyncGenerator<Uint8Array, void> {
  try {
    yield* readJobDocuments(message);
  } catch (error) {
    const { job } = message;
    if (
      'readings' in job &&
      typeof job.readings === 'object' &&
      !existsSync(job.readings.directory)
    ) {
      throw new JobError(Code.NotFound, 'the organization of the readings was deleted', {
        cause: error,
      });
    }
    throw error;
  }
}

function readJobDocuments({ job, limits }: JobMessage): AsyncIterable<Uint8Array> {
  switch (job.kind) {
    case 'sql':
      return runSql(job, limits);
    case 'pipeline':
      return runPipeline(job, limits);
    case 'seal':
      return sealReadings(job);
    case 'merge':
      return mergeFiles(job);
    case 'check':
      return checkFiles(job);
  }
}
