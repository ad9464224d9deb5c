import { Disposable } from '../../base/disposable';
import type { FleetQuery } from '../model/query';
import { QueryRun, RESULT_BOUNDS, type ResultBounds } from './queryRun';
import type { QuerySource } from './querySource';
import type { Spools } from './results/spool';

/** Results are large: when there are more, the oldest goes. */
const MOST_RUNS = 20;

export interface QueryRunsOptions {
  /** How many results are kept at most. */
  readonly most?: number;
  readonly bounds?: ResultBounds;
  /** Milliseconds that only ever grow. */
  readonly ticks?: () => number;
}

/** The queries whose results are kept. A result is gone when its run is disposed of. */
export class QueryRuns extends Disposable {
  private readonly runs = new Map<string, QueryRun>();

  constructor(
    private readonly spools: Spools,
    private readonly options: QueryRunsOptions = {},
  ) {
    super();
  }

  /** Asks a query. When too many results are kept, the oldest is disposed of. */
  start(query: FleetQuery, source: QuerySource): QueryRun {
    const { most = MOST_RUNS, bounds = RESULT_BOUNDS } = this.options;
    const { ticks = () => performance.now() } = this.options;
    const run = new QueryRun(query, source, { spools: this.spools, bounds, ticks });
    this.runs.set(run.id, run);
    run.onDidDispose(() => this.forget(run));
    this.register(run);
    const [oldest] = this.runs.values();
    if (this.runs.size > most) oldest?.dispose();
    return run;
  }

  /** The run of a result that is kept. */
  get(id: string): QueryRun | undefined {
    return this.runs.get(id);
  }

  private forget(run: QueryRun): void {
    this.runs.delete(run.id);
    this.release(run);
  }
}
