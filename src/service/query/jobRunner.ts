import type { QueryJob } from './queryJob';

/** Runs jobs apart from the service, so that none can harm it. */
export interface JobRunner {
  /**
   * Runs a job and answers its BSON documents as they come: the next ones are made when those before
   * are taken. The job ends with the iteration, when the signal is aborted, or at its limits.
   * @throws ConnectError InvalidArgument when the query is at fault, with a `QueryPlace` when it is known
   *   where; ResourceExhausted when it takes too much memory or too many wait, DeadlineExceeded when it
   *   takes too long, Unimplemented when this installation cannot run queries.
   */
  run(job: QueryJob, signal?: AbortSignal): AsyncIterable<Uint8Array>;
}

/** Runs them for those who pass documents on as they are. */
export interface BatchRunner {
  /** As `JobRunner.run`, several documents one after the other at a time. */
  runBatches(job: QueryJob, signal?: AbortSignal): AsyncGenerator<Uint8Array, void>;
}
