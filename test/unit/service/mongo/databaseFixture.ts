import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, type Document, serialize } from 'bson';
import { Aggregator } from 'mingo';
import { MongoClient, type MongoClientOptions } from 'mongodb';
import { systemSleep } from '../../../../src/base/clock';
import { SignInGuard } from '../../../../src/service/auth/signInGuard';
import {
  DatabaseEndpoint,
  type DatabaseEndpointOptions,
} from '../../../../src/service/mongo/databaseEndpoint';
import {
  databaseUserName,
  type PipelineQuery,
  type ReadingsPipelines,
} from '../../../../src/service/mongo/readingsDatabase';
import { databaseUserRow, scramCredential } from '../../../../src/service/mongo/scram';
import { putDatabaseUser } from '../../../../src/service/store/data/databaseUsers';
import { openSqliteStore } from '../../../../src/service/store/openStore';
import { insertOrganization } from '../../../../src/service/store/organizations';
import type { Store } from '../../../../src/service/store/store';
import type { RateLimitOptions } from '../../../../src/service/server/rateLimits';
import { RecordingLogger } from '../../../support/recordingLogger';

export const PASSWORD = 'correct horse';
/** Size of the files with each organization's readings. */
export const STORED_BYTES = 1_000_000;

/** The database endpoint with in-memory readings, and third-party clients that use it. */
export class DatabaseFixture {
  readonly logger = new RecordingLogger();
  readonly signInGuard = new SignInGuard({ logger: this.logger, sleep: systemSleep });
  /** Readings by organization. */
  readonly readings = new Map<string, Document[]>();
  /** Number of queries that are in progress. */
  running = 0;
  readonly queries: ReadingsPipelines = {
    run: this.run.bind(this),
    getStoredBytes: () => Promise.resolve(STORED_BYTES),
  };
  private readonly clients: MongoClient[] = [];
  private address = '';

  private constructor(
    readonly store: Store,
    readonly cursorsDir: string,
    private endpointOrNone?: DatabaseEndpoint,
  ) {}

  static async open(
    options: Partial<DatabaseEndpointOptions> = {},
    pipelines?: ReadingsPipelines,
    rateLimits?: RateLimitOptions,
    trustedProxies?: readonly string[],
  ): Promise<DatabaseFixture> {
    const directory = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
    const fixture = new DatabaseFixture(await openSqliteStore(undefined), join(directory, 'c'));
    const { store, logger, cursorsDir } = fixture;
    const queries = pipelines ?? fixture.queries;
    fixture.endpointOrNone = await DatabaseEndpoint.open({
      store,
      logger,
      cursorsDir,
      queries,
      saltSecret: 'secret',
      signInGuard: fixture.signInGuard,
      ...options,
    });
    const { host } = await fixture.endpoint.listen({
      host: '127.0.0.1',
      port: 0,
      rateLimits,
      trustedProxies,
    });
    fixture.address = host;
    return fixture;
  }

  get endpoint(): DatabaseEndpoint {
    if (this.endpointOrNone === undefined) throw new Error('the endpoint is not open');
    return this.endpointOrNone;
  }

  get port(): number {
    return Number(this.address.split(':').at(-1));
  }

  /**
   * Adds an organization that has a database user and a number of consecutively numbered readings.
   */
  async addOrganization(id: string, count: number): Promise<void> {
    await insertOrganization(this.store, { id, name: id, createdAt: 1 });
    await this.setPassword(id, PASSWORD);
    this.readings.set(
      id,
      Array.from({ length: count }, (_, n) => ({
        organization_id: id,
        component_name: n % 2 === 0 ? 'even' : 'odd',
        time_received: new Date(n * 1000),
        data: { readings: { n } },
      })),
    );
  }

  async setPassword(id: string, password: string): Promise<void> {
    await putDatabaseUser(this.store, databaseUserRow(id, await scramCredential(password), 1));
  }

  /** Returns a client that isn't connected yet. */
  client(id: string, password = PASSWORD, options: MongoClientOptions = {}): MongoClient {
    const user = `${encodeURIComponent(databaseUserName(id))}:${encodeURIComponent(password)}`;
    const uri = `mongodb://${user}@${this.address}/?ssl=false&authSource=admin`;
    const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000, ...options });
    this.clients.push(client);
    return client;
  }

  /** Returns the collection of readings that is visible to the organization's user. */
  collection(id: string) {
    return this.client(id).db('sensorData').collection('readings');
  }

  /** Returns the number of results that are spooled on disk. */
  async countSpooledResults(): Promise<number> {
    return (await readdir(this.cursorsDir)).length;
  }

  async close(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.close()));
    await this.endpoint.close();
    await this.store.destroy();
    await rm(join(this.cursorsDir, '..'), { recursive: true, force: true });
  }

  private async *run(
    organizationId: string,
    { stages, documents, explain }: PipelineQuery,
    _options: { recent: boolean },
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    this.running += 1;
    try {
      if (explain) {
        yield serialize({ sqlStages: 0 });
        return;
      }
      const pipeline = stages.map((stage) => deserialize(stage));
      const source = documents?.map((document) => deserialize(document));
      const readings = source ?? this.readings.get(organizationId) ?? [];
      const results = new Aggregator(pipeline).stream(readings);
      for (let next = results.next(); !next.done; next = results.next()) {
        await Promise.resolve();
        signal.throwIfAborted();
        yield serialize(next.value as Document);
      }
    } finally {
      this.running -= 1;
    }
  }
}
