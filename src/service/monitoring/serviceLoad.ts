import type { ColdLoad } from '../lake/coldMoves';
import type { ReadingsLake } from '../lake/readingsLake';
import type { DatabaseEndpoint } from '../mongo/databaseEndpoint';
import type { QueryProcesses } from '../query/queryProcesses';
import type { DocumentWork } from '../server/documentWork';
import { countPendingJobs } from '../store/training/trainingRuns';
import type { Store } from '../store/store';
import type { TrainingQueue } from '../training/trainingQueue';
import type { CheckResults, ServiceHealth } from './serviceHealth';

/** Use of something of which there is a limited number. */
export interface WorkerLoad {
  readonly busy: number;
  readonly total: number;
}

/** The parts of the service whose load is measured. */
export interface LoadSources {
  readonly store: Store;
  readonly health: ServiceHealth;
  readonly runner: QueryProcesses;
  readonly queue: TrainingQueue;
  readonly lake: ReadingsLake;
  readonly databaseEndpoint: DatabaseEndpoint;
  readonly documentWork: DocumentWork;
}

/** Load of the service at one time. Values that are only in the database are NaN while it fails. */
export interface ServiceLoad {
  readonly checks: CheckResults;
  readonly isReady: boolean;
  /** Concurrent queries and training jobs, and their maximums. */
  readonly workers: Readonly<Record<'query' | 'training', WorkerLoad>>;
  /** Number of query processes, including idle ones. */
  readonly queryProcesses: number;
  /** Number of waiting jobs per queue. */
  readonly queues: Readonly<Record<string, number>>;
  readonly lake: { readonly files: number; readonly bytes: number };
  /** Cold readings; undefined if readings can't leave the records. */
  readonly cold: ColdLoad | undefined;
  /** Sizes of data that the service buffers or caches, in bytes. */
  readonly cursorBytes: number;
  /** Number of organizations whose data shape is cached. */
  readonly cachedShapes: number;
}

/** Measures the load of the service. Doesn't throw, and doesn't wait for a database that hangs. */
export async function measureLoad(sources: LoadSources): Promise<ServiceLoad> {
  const { store, health, runner, queue, lake, databaseEndpoint, documentWork } = sources;
  const { checks, status } = await health.report();
  const noSize = { files: Number.NaN, bytes: Number.NaN };
  const unknown = {
    pending: Number.NaN,
    lake: noSize,
    cold: lake.moves && { ...lake.moves.counts, ...noSize, oldestDueSeconds: Number.NaN },
  };
  const stored =
    checks.database === 'ok'
      ? await Promise.all([countPendingJobs(store), lake.measure(), lake.moves?.measure()]).then(
          ([pending, size, cold]) => ({ pending, lake: size, cold }),
          () => unknown,
        )
      : unknown;
  const { queries, sealing, merging } = runner.load;
  return {
    checks,
    isReady: status === 'ready',
    workers: {
      query: { busy: queries.running, total: queries.width },
      training: queue.load,
    },
    queryProcesses: runner.processIds.length,
    queues: {
      queries: queries.waiting,
      sealing: sealing.waiting,
      merging: merging.waiting,
      documents: documentWork.waiting,
      training: stored.pending,
    },
    lake: stored.lake,
    cold: stored.cold,
    cursorBytes: databaseEndpoint.bufferedBytes,
    cachedShapes: lake.cachedShapes,
  };
}
