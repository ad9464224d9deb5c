import type { JobMessage } from '../jobMessages';
import { mergeFiles } from './lake/mergeFiles';
import { sealReadings } from './lake/sealReadings';
import { runPipeline } from './pipeline/runPipeline';
import { runSql } from './sql/runSql';

/** Does what a job asks for and answers its documents. What it opens is closed with the iteration. */
export function runJob({ job, limits }: JobMessage): AsyncIterable<Uint8Array> {
  switch (job.kind) {
    case 'sql':
      return runSql(job, limits);
    case 'pipeline':
      return runPipeline(job, limits);
    case 'seal':
      return sealReadings(job);
    case 'merge':
      return mergeFiles(job);
  }
}
