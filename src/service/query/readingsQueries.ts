import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Code, ConnectError } from '@connectrpc/connect';
import { documentsIn } from '../../core/model/query';
import { dataLoss } from '../errors';
import type { BatchRunner, PipelineJob, ReadingsSnapshot } from './queryJob';

const DEFAULT_LIMITS: ConsumerLimits = { idleSeconds: 30, totalSeconds: 600 };

const INSIDE = 'the query failed inside the service';

/** SELECT over the table `readings`, or a pipeline with one BSON document per stage. */
export type ReadingsQuery =
  | { sql: string; exactValues?: boolean }
  | Omit<PipelineJob, 'kind' | 'readings'>;

/** Source of readings for queries. */
export interface ReadingsSource {
  /**
   * Returns an organization's readings, including all readings that were acknowledged before the
   * call.
   * @param recent true to include only readings stored in the last 30 days.
   * @param signal stops waiting for readings that are being prepared.
   * @throws the signal's reason when it aborts.
   */
  snapshot(
    organizationId: string,
    options: { recent: boolean; signal?: AbortSignal | undefined },
  ): Promise<ReadingsSnapshot>;
  /**
   * Checks files in a snapshot that a query couldn't read. Rebuilds the files from the records if
   * any of them is damaged.
   * @returns true if the query can be retried.
   */
  repair(organizationId: string, files: readonly string[]): Promise<boolean>;
}

/** Runs queries on an organization's readings. */
export class ReadingsQueries {
  private readonly limits: ConsumerLimits;

  constructor(
    private readonly source: ReadingsSource,
    private readonly runner: BatchRunner,
    limits: Partial<ConsumerLimits> = {},
  ) {
    this.limits = { ...DEFAULT_LIMITS, ...limits };
  }

  /**
   * Yields the BSON documents of the result as they arrive. The query includes all data that was
   * acknowledged before the call or, with `recent`, only data stored in the last 30 days. The query
   * stops when the iteration ends, the signal aborts, or its documents aren't consumed in time.
   * @throws ConnectError, like `JobRunner.run`.
   */
  async *run(
    organizationId: string,
    query: ReadingsQuery,
    options: { recent: boolean },
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array, void> {
    for await (const documents of this.runBatches(organizationId, query, options, signal)) {
      yield* documentsIn(documents);
    }
  }

  /**
   * Like `run`, but yields chunks of concatenated documents, for callers that pass them on
   * unchanged.
   */
  runBatches(
    organizationId: string,
    query: ReadingsQuery,
    options: { recent: boolean },
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array, void> {
    return withConsumerTimeout(this.answer(organizationId, query, options, signal), this.limits);
  }

  /** Returns the total size of an organization's readings files, in bytes. */
  async getStoredBytes(organizationId: string): Promise<number> {
    await using snapshot = await this.source.snapshot(organizationId, { recent: false });
    const { directory, files, cold } = snapshot.readings;
    const paths = [...files.map((name) => join(directory, name)), ...(cold?.files ?? [])];
    const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  private async *answer(
    organizationId: string,
    query: ReadingsQuery,
    { recent }: { recent: boolean },
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Uint8Array, void> {
    for (let isRepaired = false; ; isRepaired = true) {
      const attempt: Attempt = { files: [], hasRows: false };
      try {
        yield* this.runOnce(organizationId, query, { recent, signal, attempt });
        return;
      } catch (error) {
        if (!(error instanceof ConnectError) || error.code !== Code.DataLoss) throw error;
        if (!(await this.source.repair(organizationId, attempt.files))) {
          throw new ConnectError(INSIDE, Code.Internal, undefined, undefined, error);
        }
        if (attempt.hasRows || isRepaired) {
          throw dataLoss(
            'files of the readings were damaged and are being rebuilt from the records: run the query again',
          );
        }
      }
    }
  }

  /** @param attempt receives information about the attempt, even if it fails. */
  private async *runOnce(
    organizationId: string,
    query: ReadingsQuery,
    {
      recent,
      signal,
      attempt,
    }: { recent: boolean; signal: AbortSignal | undefined; attempt: Attempt },
  ): AsyncGenerator<Uint8Array, void> {
    signal?.throwIfAborted();
    // The snapshot's files aren't deleted until the query has ended.
    await using snapshot = await this.source.snapshot(organizationId, { recent, signal });
    const { readings } = snapshot;
    attempt.files = readings.files;
    const batches = this.runner.runBatches(
      'sql' in query
        ? { kind: 'sql', ...query, readings }
        : { kind: 'pipeline', ...query, readings },
      signal,
    );
    for await (const documents of batches) {
      attempt.hasRows = true;
      yield documents;
    }
  }
}

interface Attempt {
  /** Names of the files that the attempt read. */
  files: readonly string[];
  /** True if the caller has received rows from the attempt. */
  hasRows: boolean;
}

/** Timeouts for consuming rows. */
export interface ConsumerLimits {
  /** Maximum time between two requests for rows, in seconds. */
  idleSeconds: number;
  /** Maximum total time, in seconds. */
  totalSeconds: number;
}

/**
 * Forwards chunks, but aborts the source if the consumer is idle for too long or too slow. A query
 * that waits for its consumer blocks other queries and the deletion of files.
 * @throws DeadlineExceeded when the consumer requests the next chunk.
 */
export async function* withConsumerTimeout<T>(
  source: AsyncGenerator<T, void>,
  { idleSeconds, totalSeconds }: ConsumerLimits,
): AsyncGenerator<T, void> {
  let left = totalSeconds * 1000;
  let failure: ConnectError | undefined;
  try {
    for (let next = await source.next(); next.done !== true; next = await source.next()) {
      const wait = Math.min(idleSeconds * 1000, left);
      const timer = setTimeout(() => {
        failure = wait < left ? createIdleError(idleSeconds) : tooSlow(totalSeconds);
        source.return().catch(() => undefined);
      }, wait);
      const since = performance.now();
      try {
        yield next.value;
      } finally {
        clearTimeout(timer);
        left -= performance.now() - since;
      }
      if (failure !== undefined) throw failure;
    }
  } finally {
    await source.return();
  }
}

function createIdleError(seconds: number): ConnectError {
  return new ConnectError(
    `the query was canceled: the client read no rows for ${String(seconds)} seconds`,
    Code.DeadlineExceeded,
  );
}

function tooSlow(seconds: number): ConnectError {
  return new ConnectError(
    `the query was stopped because its rows were read too slowly (limit: ${String(seconds)} seconds in total); query fewer rows`,
    Code.DeadlineExceeded,
  );
}
