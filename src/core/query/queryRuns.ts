import { Disposable } from '../../base/disposable';
import type { FleetQuery } from '../model/query';
import { QueryRun, RESULT_BOUNDS, type ResultBounds } from './queryRun';
import type { QuerySource } from './querySource';
import type { SpoolFactory } from './results/rowStore';

/**
 * Maximum number of cached results. Results are large, so the oldest result is removed if there are
 * more.
 */
const MAX_RUNS = 20;

export interface QueryRunsOptions {
  /** Maximum number of cached results. */
  readonly maxRuns?: number;
  readonly bounds?: ResultBounds;
  /** Monotonic clock in milliseconds. */
  readonly ticks?: () => number;
}

/** Queries with cached results. Disposing of a run deletes its result. */
export class QueryRuns extends Disposable {
  private readonly runs = new Map<string, QueryRun>();

  constructor(
    private readonly spools: SpoolFactory,
    private readonly options: QueryRunsOptions = {},
  ) {
    super();
  }

  /** Starts a query. Disposes of the oldest run if there are too many results. */
  start(query: FleetQuery, source: QuerySource): QueryRun {
    const { maxRuns = MAX_RUNS, bounds = RESULT_BOUNDS } = this.options;
    const { ticks = () => performance.now() } = this.options;
    const run = new QueryRun(query, source, { spools: this.spools, bounds, ticks });
    this.runs.set(run.id, run);
    run.onDidDispose(() => this.remove(run));
    this.register(run);
    const [oldest] = this.runs.values();
    if (this.runs.size > maxRuns) oldest?.dispose();
    return run;
  }

  /** Returns the run for a cached result. */
  get(id: string): QueryRun | undefined {
    return this.runs.get(id);
  }

  private remove(run: QueryRun): void {
    this.runs.delete(run.id);
    this.release(run);
  }
}
