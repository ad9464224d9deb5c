import assert from 'node:assert/strict';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize } from 'bson';
import { BlobCollector } from '../../src/service/blobs/blobCollector';
import {
  blobPath,
  type FileBlobStore,
  openFileBlobStore,
} from '../../src/service/blobs/fileBlobStore';
import { insertReadings } from '../../src/service/handlers/data/uploads';
import { ReadingsLake } from '../../src/service/lake/readingsLake';
import { ReadingsReader } from '../../src/service/lake/readingsReader';
import type { JobRunner, QueryJob } from '../../src/service/query/queryJob';
import type { QueryProcesses } from '../../src/service/query/queryProcesses';
import { ReadingsQueries } from '../../src/service/query/readingsQueries';
import { COLD_CATALOG, lastReadingId } from '../../src/service/store/data/lakeManifest';
import type { LakeFileRow } from '../../src/service/store/data/dataSchema';
import { deleteReadings } from '../../src/service/store/data/readingsDeletion';
import { openSqliteStore } from '../../src/service/store/openStore';
import type { Store } from '../../src/service/store/store';
import { organizationRow, seriesRow } from './lakeRows';
import { RecordingLogger } from './recordingLogger';

export const DAY = 86_400_000_000;
export const START = Date.UTC(2026, 0, 1) * 1000;
export const ORGANIZATION = 'acme';
/** Days after which readings leave the records. */
export const HOT_DAYS = 2;
/** Filter for all series. */
export const EVERY = { scopes: [], columns: [] };

export const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);

/** Records in memory and a lake whose files with cold readings are in a folder. */
export class ColdFixture implements AsyncDisposable {
  readonly logger = new RecordingLogger();
  /** Time of the service, in microseconds. */
  now = START;
  private opened: { blobs: FileBlobStore; lake: ReadingsLake } | undefined;

  private constructor(
    private readonly runner: QueryProcesses,
    readonly store: Store,
    private currentFolder: string,
  ) {}

  static async open(runner: QueryProcesses): Promise<ColdFixture> {
    const store = await openSqliteStore(undefined);
    await store.insertInto('organizations').values(organizationRow(ORGANIZATION)).execute();
    const folder = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
    const fixture = new ColdFixture(runner, store, folder);
    await fixture.openLake(runner);
    return fixture;
  }

  get folder(): string {
    return this.currentFolder;
  }

  get lake(): ReadingsLake {
    return (this.opened ?? assert.fail('the lake is not open')).lake;
  }

  get blobs(): FileBlobStore {
    return (this.opened ?? assert.fail('the lake is not open')).blobs;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lake.close();
    await this.store.destroy();
    await rm(this.folder, { recursive: true });
  }

  /** Opens the lake on the same data, like a service that starts again. */
  async reopen(
    options: { runner?: JobRunner; requireRoom?: () => Promise<void> } = {},
  ): Promise<void> {
    await this.lake.close();
    await this.openLake(options.runner ?? this.runner, options.requireRoom);
  }

  /** Moves the folder while the service is stopped. */
  async moveFolder(): Promise<void> {
    await this.lake.close();
    const target = `${this.folder}-moved`;
    await rename(this.folder, target);
    this.currentFolder = target;
    await this.openLake(this.runner);
  }

  /** Returns a runner that fails in one kind of job. */
  failingIn(kind: QueryJob['kind']): JobRunner {
    return this.after(kind, () => Promise.reject(new Error(`failed in ${kind}`)));
  }

  /** Returns a runner that runs a task after each job of a kind. */
  after(kind: QueryJob['kind'], task: () => Promise<void>): JobRunner {
    const { runner } = this;
    return {
      async *run(job, signal) {
        yield* runner.run(job, signal);
        if (job.kind === kind) await task();
      },
    };
  }

  /** Returns a runner that runs a task before each job of a kind. */
  before(kind: QueryJob['kind'], task: () => Promise<void>): JobRunner {
    const { runner } = this;
    return {
      async *run(job, signal) {
        if (job.kind === kind) await task();
        yield* runner.run(job, signal);
      },
    };
  }

  /** Stores readings that were captured one per second from the start on. */
  async capture(values: readonly number[], component = 'thermometer'): Promise<void> {
    const readings = values.map((n) => ({
      requestedAt: START + n * 1_000_000,
      receivedAt: START + n,
      payload: JSON.stringify({ readings: { n, text: 'ä\n"' }, wide: 1e21 }),
    }));
    await this.insert(readings, component);
  }

  /** Stores readings at the current time of the service. */
  async insert(readings: Parameters<typeof insertReadings>[2], component: string): Promise<void> {
    await this.store
      .transaction()
      .execute((transaction) =>
        insertReadings(transaction, seriesRow(ORGANIZATION, component), readings, this.now),
      );
  }

  /** Returns the number of readings in the records. */
  async countRecorded(): Promise<number> {
    return (await this.store.selectFrom('readings').select('id').execute()).length;
  }

  /** Returns the numbers in all readings, according to pages, counts, and a query. */
  async numbers(): Promise<number[]> {
    const { lake, store } = this;
    const reader = new ReadingsReader(store, lake.cold);
    const page = { oldestFirst: true, after: undefined, limit: 1_000_000, maxBytes: 1e9 };
    const { rows } = await reader.readPage({ series: EVERY }, page);
    const listed = rows.map(
      ({ payload }) => (JSON.parse(payload) as { readings: { n: number } }).readings.n,
    );
    const bytes = rows.reduce((sum, { size }) => sum + size, 0);
    const total = { count: listed.length, bytes };
    assert.deepEqual(await reader.count({ series: EVERY }), total);
    // Parts of days are counted one by one.
    const span = { start: START - 1, end: START + 40 * DAY + 1 };
    assert.deepEqual(await reader.count({ series: EVERY, ...span }), total);
    const queried: number[] = [];
    const query = { sql: 'select data.readings.n as n from readings order by n' };
    const queries = new ReadingsQueries(lake, this.runner);
    for await (const document of queries.run(ORGANIZATION, query, { recent: false })) {
      queried.push(Number(deserialize(document).n));
    }
    assert.deepEqual(
      queried,
      listed.toSorted((a, b) => a - b),
    );
    return queried;
  }

  /** Deletes the readings of a component. */
  async remove(component: string): Promise<number> {
    const series = { scopes: [], columns: [{ column: 'component_name', anyOf: [component] }] };
    return deleteReadings(
      this.store,
      {
        organizationId: ORGANIZATION,
        series: series as never,
        beforeDay: undefined,
        throughId: await lastReadingId(this.store),
      },
      new AbortController().signal,
    );
  }

  /** Returns the files with cold readings. */
  listCold(): Promise<LakeFileRow[]> {
    return this.store
      .selectFrom('lake_files')
      .selectAll()
      .where('place', '=', COLD_CATALOG)
      .execute();
  }

  /** Returns the path of a file with cold readings. */
  getPath(name = ''): string {
    return join(this.folder, 'blobs', blobPath(name));
  }

  private async openLake(runner: JobRunner, requireRoom?: () => Promise<void>): Promise<void> {
    const { store, folder, logger } = this;
    const blobs = await openFileBlobStore(join(folder, 'blobs'));
    const collector = new BlobCollector(store, blobs);
    await collector.collectAll();
    const lake = await ReadingsLake.open({
      store,
      runner,
      directory: join(folder, 'lake'),
      contents: { blobs, collector },
      hotDays: HOT_DAYS,
      now: () => this.now,
      logger,
      requireRoom,
    });
    this.opened = { blobs, lake };
  }
}
