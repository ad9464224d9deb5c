import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@connectrpc/connect';
import { deserialize } from 'bson';
import { Client } from 'pg';
import { DataService } from '../../../src/gen/viam/app/data/v1/data_pb';
import { DataSyncService, DataType } from '../../../src/gen/viam/app/datasync/v1/data_sync_pb';
import {
  describeObjectStore,
  objectStoreForTests,
  type TestObjectStore,
} from '../../support/objectStore';
import { postgresForTests, type TestPostgres } from '../../support/postgres';
import { RunningService } from '../../support/runningService';
import { ServiceProgram } from '../../support/serviceProgram';
import { waitUntil } from '../../support/waitUntil';
import { newPart } from './faults/newPart';

const TIMEOUT_MS = 300_000;
const UPLOADS = 12;
const READINGS = 2000;
const TOTAL = UPLOADS * READINGS;
/** Maximum time for which queries wait for the lease of a service that was killed. */
const MAX_WAIT_MS = 5_000;

describeObjectStore(
  'services that share a bucket and a database, while one of them fails',
  function () {
    this.timeout(TIMEOUT_MS);
    let server: TestObjectStore;
    let postgres: TestPostgres;
    let program: ServiceProgram;
    let database: Client;
    let a: RunningService;
    let b: RunningService;
    let partId: string;
    let serveFirst: () => Promise<RunningService>;

    before(async () => {
      server = await objectStoreForTests();
      postgres = await postgresForTests();
      program = await ServiceProgram.build();
    });
    beforeEach(async () => {
      const [url, databaseUrl] = [await server.createBucket(), await postgres.url()];
      process.env.FLEETWRIGHT_DATABASE_URL = databaseUrl;
      database = new Client({ connectionString: databaseUrl });
      await database.connect();
      const [first, second] = [program.path(), program.path()];
      const serve = (data: string): Promise<RunningService> =>
        RunningService.of(program.serve('--data', data, '--objects', url));
      serveFirst = () => serve(first);
      a = await serveFirst();
      mkdirSync(second, { recursive: true });
      copyFileSync(join(first, 'secrets.key'), join(second, 'secrets.key'));
      b = await serve(second);
      partId = await newPart(a);
    });
    afterEach(async () => {
      delete process.env.FLEETWRIGHT_DATABASE_URL;
      await database.end();
      await program.end();
    });
    after(async () => {
      await program[Symbol.asyncDispose]();
      await postgres.stop();
    });

    /** Uploads readings with the numbers from `start` on. */
    async function upload({ transport }: RunningService, start: number, count: number) {
      await createClient(DataSyncService, transport).dataCaptureUpload({
        metadata: {
          partId,
          componentType: 'rdk:component:sensor',
          componentName: 'thermometer',
          methodName: 'Readings',
          type: DataType.TABULAR_SENSOR,
        },
        sensorContents: Array.from({ length: count }, (_, index) => ({
          data: { case: 'struct', value: { n: start + index } },
        })),
      });
    }

    async function uploadAll(services: readonly RunningService[]): Promise<void> {
      for (let n = 0; n < UPLOADS; n += 1) {
        const service = services[n % services.length];
        if (service !== undefined) await upload(service, n * READINGS, READINGS);
      }
    }

    /** Returns the number of readings and of different ones in a query's result. */
    async function count({ transport, key }: RunningService): Promise<[number, number]> {
      const { rawData } = await createClient(DataService, transport).tabularDataBySQL({
        organizationId: key.organizationId,
        sqlQuery: 'select count(*) as rows, count(distinct data.n) as numbers from readings',
      });
      const { rows, numbers } = deserialize(rawData[0] ?? new Uint8Array());
      return [Number(rows), Number(numbers)];
    }

    /**
     * Lets a service seal all readings until its transaction waits to list the files, runs an action,
     * and lets the transaction continue.
     */
    async function whileListing(service: RunningService, action: () => Promise<void>) {
      await database.query('begin; lock table lake_files in exclusive mode');
      const query = count(service).catch((error: unknown) => error);
      await waitUntil(async () => {
        const { rows } = await database.query(
          `select 1 from pg_locks where not granted and relation = 'lake_files'::regclass`,
        );
        return rows.length > 0;
      });
      await action();
      await database.query('rollback');
      return query;
    }

    /** Number of transactions whose service doesn't send the next statement. */
    const suspendedTransactions = async (): Promise<number> => {
      const { rows } = await database.query(
        `select 1 from pg_stat_activity where datname = current_database()
          and state = 'idle in transaction' and query like '%lake_files%'`,
      );
      return rows.length;
    };

    const sealedRows = async (): Promise<number> => {
      const { rows } = await database.query<{ rows: string }>(
        'select coalesce(sum(row_count), 0) as rows from lake_files',
      );
      return Number(rows[0]?.rows);
    };

    it('answers queries through either with what was uploaded through the other', async () => {
      await upload(a, 0, 10);
      assert.deepEqual(await count(b), [10, 10]);
      await upload(b, 10, 10);
      assert.deepEqual(await count(a), [20, 20]);
      await uploadAll([a, b]);
      const results = await Promise.all([a, b, a, b].map(count));
      for (const result of results) assert.deepEqual(result, [TOTAL + 20, TOTAL]);
      assert.equal(await sealedRows(), TOTAL + 20);
      await Promise.all([a.stop(), b.stop()]);
    });

    it('takes over sealing from a service that was killed, after its lease has expired', async () => {
      await uploadAll([a, b]);
      await whileListing(a, async () => {
        await a.kill();
        const { rows } = await database.query<{ milliseconds: string }>(
          `select max(expires_at) - extract(epoch from clock_timestamp()) * 1000 as milliseconds
            from lake_leases`,
        );
        const milliseconds = Number(rows[0]?.milliseconds);
        assert.ok(milliseconds <= MAX_WAIT_MS, `queries wait for ${String(milliseconds)} ms`);
      });
      assert.equal(await sealedRows(), 0);
      assert.deepEqual(await count(b), [TOTAL, TOTAL]);
      a = await serveFirst();
      assert.deepEqual(await count(a), [TOTAL, TOTAL]);
      assert.equal(await sealedRows(), TOTAL);
      await Promise.all([a.stop(), b.stop()]);
    });

    it('takes over sealing from a service that is suspended in a transaction', async () => {
      await uploadAll([a, b]);
      const suspended = whileListing(a, async () => {
        a.run.child.kill('SIGSTOP');
        // The signal takes effect before the process can receive the response to its statement.
        await waitUntil(() => isStopped(a));
      });
      await waitUntil(async () => (await suspendedTransactions()) > 0);
      assert.deepEqual(await count(b), [TOTAL, TOTAL]);
      a.run.child.kill('SIGCONT');
      assert.deepEqual(await suspended, [TOTAL, TOTAL]);
      for (const service of [a, b]) assert.deepEqual(await count(service), [TOTAL, TOTAL]);
      assert.equal(await sealedRows(), TOTAL);
      await Promise.all([a.stop(), b.stop()]);
    });
  },
);

/** Returns true if the process of a service is suspended. Requires Linux, like the object store. */
function isStopped({ run }: RunningService): boolean {
  return readFileSync(`/proc/${String(run.child.pid)}/stat`, 'utf8').includes(') T ');
}
