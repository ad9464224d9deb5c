/** Runs aggregation pipelines over the readings of an organization. */
export interface ReadingsPipelines {
  /**
   * Answers the BSON documents of the result as they come. The query ends with the iteration, or
   * when the signal is aborted.
   * @param query a BSON document for each stage.
   * @throws ConnectError, as callers of the service see it.
   */
  run(
    organizationId: string,
    query: { stages: readonly Uint8Array[] },
    options: { recent: boolean },
    signal: AbortSignal,
  ): AsyncIterable<Uint8Array>;
}
