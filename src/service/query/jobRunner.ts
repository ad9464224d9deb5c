import type { QueryJob } from './queryJob';

/** Runs jobs apart from the service, so that none can harm it. */
export interface JobRunner {
  /**
   * Runs a job and answers its BSON documents as they come: the next ones are made when those before
   * are taken. The job ends with the iteration, when the signal is aborted, or at its limits.
   * @throws ConnectError InvalidArgument when the query is at fault, ResourceExhausted when it takes
   *   too much memory or too many wait, DeadlineExceeded when it takes too long, Unimplemented when
   *   this installation cannot run queries.
   */
  run(job: QueryJob, signal?: AbortSignal): AsyncIterable<Uint8Array>;
}
