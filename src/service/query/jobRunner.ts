import type { QueryJob } from './queryJob';

/** Runs jobs in separate processes, so that no job can harm the service. */
export interface JobRunner {
  /**
   * Runs a job and yields its BSON documents as they arrive, with back pressure: the job produces
   * more documents only after the previous ones have been consumed. The job stops when the
   * iteration ends, the signal aborts, or a limit is reached.
   * @throws ConnectError InvalidArgument if the query is invalid, with a `QueryPlace` if the
   *   position is known; ResourceExhausted if the query uses too much memory or too many queries
   *   are waiting; DeadlineExceeded if it takes too long; Unimplemented if this installation can't
   *   run queries.
   */
  run(job: QueryJob, signal?: AbortSignal): AsyncIterable<Uint8Array>;
}

/** Runs jobs for callers that pass on documents unchanged. */
export interface BatchRunner {
  /** Like `JobRunner.run`, but yields chunks of concatenated documents. */
  runBatches(job: QueryJob, signal?: AbortSignal): AsyncGenerator<Uint8Array, void>;
}
