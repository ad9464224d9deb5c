import '../../test/webview/support/englishVscode';
import { serialize } from 'bson';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { organizationId } from '../../src/core/model/ids';
import type { QueryRun } from '../../src/core/query/queryRun';
import { QueryRuns } from '../../src/core/query/queryRuns';
import { resultHandlers } from '../../src/host/features/query/results/resultHandlers';
import { SpoolFolder } from '../../src/files/spoolFolder';
import type { HostHandlers } from '../../src/shared/protocol';
import type { ResultProtocol, ResultStatus } from '../../src/shared/query/results';

const BATCH = 500;
const NOON = Date.UTC(2026, 10, 21, 12);

/**
 * Host of a page with one result. The result's generated rows are stored like those of any query.
 */
export class QueryGridHost implements AsyncDisposable {
  readonly handlers: HostHandlers<ResultProtocol>;
  notify: (status: ResultStatus) => void = () => undefined;
  private readonly folder = mkdtempSync(join(tmpdir(), 'fleetwright-grid-'));
  private readonly runs: QueryRuns;
  private readonly run: QueryRun;

  /** @param columns number of columns in addition to time, position, and note. */
  constructor(
    private readonly rows: number,
    private readonly columns: number,
  ) {
    const spools = new SpoolFolder(this.folder, (reason) => reason);
    this.runs = new QueryRuns(spools);
    const id = organizationId('made up');
    const query = { organizationId: id, language: 'sql', text: '', recent: false } as const;
    this.run = this.runs.start(query, { run: () => this.batches() });
    this.run.onDidChange(() => this.notifyStatus());
    const run = (result: string) => this.runs.get(result);
    this.handlers = resultHandlers({ run, spools, act: () => undefined });
  }

  get result(): string {
    return this.run.id;
  }

  /** Resolves when all rows are available. */
  get ended(): Promise<void> {
    return this.run.ended;
  }

  notifyStatus(): void {
    const { error, ...status } = this.run.status;
    if (error) throw error;
    this.notify({ result: this.result, ...status });
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.runs.dispose();
    rmSync(this.folder, { recursive: true, force: true });
    return Promise.resolve();
  }

  private async *batches(): AsyncGenerator<readonly Uint8Array[]> {
    for (let start = 0; start < this.rows; start += BATCH) {
      const length = Math.min(BATCH, this.rows - start);
      yield Array.from({ length }, (_, index) => serialize(this.row(start + index)));
      // Real rows arrive in a stream, which yields to the event loop between rows.
      await new Promise(setImmediate);
    }
  }

  private row(number: number): Record<string, unknown> {
    const values: Record<string, number> = {};
    for (let column = 0; column < this.columns; column += 1) {
      values[`value${column}`] = Math.sin(number + column);
    }
    return {
      time_received: new Date(NOON + number * 1_000),
      part_id: `part-${number % 7}`,
      data: { readings: { ...values, note: `reading ${number}` } },
    };
  }
}
