import type { PipelineJob } from '../query/queryJob';

/** A pipeline that runs on the readings of an organization or on other documents. */
export type PipelineQuery = Pick<PipelineJob, 'stages' | 'documents' | 'explain' | 'hasIds'>;

/** Runs aggregation pipelines over the readings of an organization. */
export interface ReadingsPipelines {
  /**
   * Yields the BSON documents of the result as they arrive. The query stops when the iteration ends
   * or the signal aborts.
   * @param query as in a `PipelineJob`.
   * @throws ConnectError that can be sent to callers of the service.
   */
  run(
    organizationId: string,
    query: PipelineQuery,
    options: { recent: boolean },
    signal: AbortSignal,
  ): AsyncIterable<Uint8Array>;

  /** Returns the total size of an organization's readings files, in bytes. */
  getStoredBytes(organizationId: string): Promise<number>;
}
