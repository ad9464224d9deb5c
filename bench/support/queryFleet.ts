import { createClient } from '@connectrpc/connect';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGrpcWire } from '../../src/core/api/grpcWire';
import { organizationId } from '../../src/core/model/ids';
import type { FleetQuery } from '../../src/core/model/query';
import { type QueryRun, RESULT_BOUNDS } from '../../src/core/query/queryRun';
import { QueryRuns } from '../../src/core/query/queryRuns';
import { QueryService } from '../../src/gen/fleetwright/query/v1/query_pb';
import { SpoolFolder } from '../../src/files/spoolFolder';
import { BenchFleet } from './benchFleet';
import { BenchStores } from './benchStores';
import { fillReadings } from './bulkData';

/** Times at which the first and the last row arrived, in milliseconds. */
export interface Answered {
  readonly first: number;
  readonly last: number;
}

/** A service with many readings, and a client that queries all of them. */
export class QueryFleet implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'fleetwright-results-'));
  readonly spools = new SpoolFolder(this.folder, (reason) => reason);
  private readonly runs: QueryRuns[] = [];

  private constructor(
    private readonly fleet: BenchFleet,
    private readonly opened: BenchStores,
    readonly readings: number,
  ) {}

  static async start(readings: number): Promise<QueryFleet> {
    const fleet = await BenchFleet.start();
    await fleet.whileStopped(() => fillReadings(fleet.databaseFile, fleet.part, readings));
    const made = new QueryFleet(fleet, new BenchStores(fleet), readings);
    // Move all readings to the files that queries read.
    await made.stream();
    return made;
  }

  /**
   * Streams all rows from the service and discards the rows. Requests the values in the same form as
   * the extension.
   */
  async stream(): Promise<Answered> {
    const { url, headers } = this.fleet;
    const wire = createGrpcWire(url);
    try {
      const client = createClient(QueryService, wire.open([]));
      const start = performance.now();
      let [first, bytes] = [NaN, 0];
      for await (const { documents } of client.streamTabularData(
        { query: this.request, exactValues: true },
        { headers },
      )) {
        if (bytes === 0) first = performance.now() - start;
        bytes += documents.length;
      }
      return { first, last: performance.now() - start };
    } finally {
      wire.dispose();
    }
  }

  /**
   * Returns a result once all rows to cache have arrived. @param rows maximum number of cached rows
   */
  async result(rows = RESULT_BOUNDS.rows): Promise<QueryRun> {
    const runs = new QueryRuns(this.spools, { bounds: { ...RESULT_BOUNDS, rows } });
    this.runs.push(runs);
    const run = runs.start(this.query, this.opened.stores.queries);
    await run.ended;
    const { state, rows: came, error } = run.status;
    if (error) throw error;
    if (came !== Math.min(rows, this.readings)) throw new Error(`${state} with ${came} rows.`);
    return run;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const runs of this.runs) runs.dispose();
    this.opened[Symbol.dispose]();
    await this.fleet[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private get query(): FleetQuery {
    const { sqlQuery: text } = this.request.value;
    const { organizationId: id } = this.fleet.key;
    return { organizationId: organizationId(id), language: 'sql', text, recent: false };
  }

  private get request() {
    const { organizationId: id } = this.fleet.key;
    const value = { organizationId: id, sqlQuery: 'SELECT * FROM readings' };
    return { case: 'sql', value } as const;
  }
}
