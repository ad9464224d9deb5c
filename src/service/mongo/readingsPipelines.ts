import type { PipelineJob } from '../query/queryJob';

/** A pipeline of the readings of an organization, or of other documents. */
export type PipelineQuery = Pick<PipelineJob, 'stages' | 'documents' | 'explain' | 'hasIds'>;

/** Runs aggregation pipelines over the readings of an organization. */
export interface ReadingsPipelines {
  /**
   * Answers the BSON documents of the result as they come. The query ends with the iteration, or
   * when the signal is aborted.
   * @param query as in a `PipelineJob`.
   * @throws ConnectError, as callers of the service see it.
   */
  run(
    organizationId: string,
    query: PipelineQuery,
    options: { recent: boolean },
    signal: AbortSignal,
  ): AsyncIterable<Uint8Array>;

  /** The size of the files with an organization's readings, in bytes. */
  getStoredBytes(organizationId: string): Promise<number>;
}
