import type { JobRunner } from './jobRunner';
import type { ReadingsSnapshot } from './readingsFiles';

/** A SELECT over the table `readings`, or a pipeline: a BSON document for each stage. */
export type ReadingsQuery = { sql: string } | { stages: readonly Uint8Array[] };

/** Where readings are for queries. */
export interface ReadingsSource {
  /**
   * The readings of an organization: all that were acknowledged before the call.
   * @param recent only those that were stored in the last 30 days.
   */
  snapshot(organizationId: string, options: { recent: boolean }): Promise<ReadingsSnapshot>;
}

/** Asks questions about the readings of an organization. */
export class ReadingsQueries {
  constructor(
    private readonly source: ReadingsSource,
    private readonly runner: JobRunner,
  ) {}

  /**
   * Answers the BSON documents of the result as they come. The query sees everything that was
   * acknowledged before the call; with `recent`, what was stored in the last 30 days. It ends with the
   * iteration, or when the signal is aborted.
   * @throws ConnectError as `JobRunner.run` does.
   */
  async *run(
    organizationId: string,
    query: ReadingsQuery,
    { recent }: { recent: boolean },
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array, void> {
    signal?.throwIfAborted();
    // Its files stay until the query has ended.
    await using snapshot = await this.source.snapshot(organizationId, { recent });
    const { readings } = snapshot;
    yield* this.runner.run(
      'sql' in query
        ? { kind: 'sql', sql: query.sql, readings }
        : { kind: 'pipeline', stages: query.stages, readings },
      signal,
    );
  }
}
