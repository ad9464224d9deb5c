import { randomUUID } from 'node:crypto';
import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { type FleetError, toFleetError } from '../api/errors';
import type { FleetQuery } from '../model/query';
import type { QuerySource } from './querySource';
import { ResultTable } from './results/resultTable';
import type { SpoolFactory } from './results/rowStore';
import { ResultViews } from './results/resultViews';

export type QueryRunState =
  | 'waiting'
  | 'running'
  | 'complete'
  /** The limit was reached, and there were more rows. */
  | 'full'
  | 'canceled'
  | 'failed';

/** Progress of a query. */
export interface QueryRunStatus {
  readonly state: QueryRunState;
  readonly rows: number;
  /** Size of the received rows in bytes. */
  readonly bytes: number;
  /** Times in milliseconds from the request to the first row, and to the last row or until now. */
  readonly firstRowMs: number | undefined;
  readonly elapsedMs: number;
  readonly columns: number;
  /** True if some values have no column because of the column limit. */
  readonly hasOverflow: boolean;
  /** Reason for the failure; a `QueryError` includes the position. */
  readonly error: FleetError | undefined;
}

/** Limits for a cached result. */
export interface ResultBounds {
  readonly rows: number;
  readonly bytes: number;
}

export const RESULT_BOUNDS: ResultBounds = { rows: 1_000_000, bytes: 1024 ** 3 };

export interface QueryRunOptions {
  readonly spools: SpoolFactory;
  readonly bounds: ResultBounds;
  /** Monotonic clock in milliseconds. */
  readonly ticks: () => number;
}

/**
 * Running query. Adds rows to a table until there are no more rows or the user cancels the query.
 */
export class QueryRun extends Disposable {
  readonly id = randomUUID();
  readonly table: ResultTable;
  readonly views: ResultViews;
  /** Resolves when no more rows can arrive, for any reason. */
  readonly ended: Promise<void>;
  private readonly changed = this.register(new Emitter<void>());
  /** Fires when rows arrive and when the state changes. */
  readonly onDidChange = this.changed.event;
  private readonly gone = this.register(new Emitter<void>());
  /** Fires when the query's rows are deleted. */
  readonly onDidDispose = this.gone.event;
  private readonly requestAbort = new AbortController();
  private readonly startedAt: number;
  private resolveEnd: () => void = () => undefined;
  private state: QueryRunState = 'waiting';
  private error: FleetError | undefined;
  private firstRowMs: number | undefined;
  private endedMs: number | undefined;

  /** Starts the query immediately. */
  constructor(
    readonly query: FleetQuery,
    readonly source: QuerySource,
    private readonly options: QueryRunOptions,
  ) {
    super();
    this.table = new ResultTable(options.spools);
    this.views = new ResultViews(this.table);
    this.startedAt = options.ticks();
    this.table.store.prepare();
    this.ended = new Promise((resolve) => (this.resolveEnd = resolve));
    this.register({ dispose: () => this.gone.fire() });
    this.register(this.table);
    this.register({ dispose: () => this.cancel() });
    void this.take();
  }

  get status(): QueryRunStatus {
    const { state, table, error, firstRowMs } = this;
    return {
      state,
      rows: table.store.count,
      bytes: table.store.bytes,
      firstRowMs,
      error,
      elapsedMs: this.endedMs ?? this.elapsed(),
      columns: table.columns.length,
      hasOverflow: table.hasOverflow,
    };
  }

  /** True if more rows can arrive. */
  get isActive(): boolean {
    return this.state === 'waiting' || this.state === 'running';
  }

  /** Cancels the query, also on the service. Keeps the received rows. */
  cancel(): void {
    this.end('canceled');
  }

  private async take(): Promise<void> {
    try {
      for await (const rows of this.source.run(this.query, this.requestAbort.signal)) {
        if (!this.isActive) return;
        const fitting = this.fitting(rows);
        await this.table.add(fitting);
        if (fitting.length > 0) this.notifyRows();
        if (fitting.length < rows.length) {
          this.end('full');
          return;
        }
      }
      this.end('complete');
    } catch (error) {
      this.end('failed', toFleetError(error));
    }
  }

  /**
   * Notifies listeners of new rows, including rows that were being saved when the query was
   * canceled, because the table contains them.
   */
  private notifyRows(): void {
    if (this.isActive) {
      this.state = 'running';
      this.firstRowMs ??= this.elapsed();
    }
    this.changed.fire();
  }

  /** Returns the rows that fit into the limit. */
  private fitting(rows: readonly Uint8Array[]): readonly Uint8Array[] {
    const { bounds } = this.options;
    const { count, bytes } = this.table.store;
    let left = bounds.bytes - bytes;
    const end = rows.findIndex((row, index) => {
      left -= row.byteLength;
      return left < 0 || count + index >= bounds.rows;
    });
    return end < 0 ? rows : rows.slice(0, end);
  }

  private end(state: 'complete' | 'full' | 'canceled' | 'failed', error?: FleetError): void {
    if (!this.isActive) return;
    this.state = state;
    this.error = error;
    this.endedMs = this.elapsed();
    this.requestAbort.abort();
    this.changed.fire();
    this.resolveEnd();
  }

  private elapsed(): number {
    return this.options.ticks() - this.startedAt;
  }
}
