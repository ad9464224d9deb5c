import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Interceptor } from '@connectrpc/connect';
import { Client } from 'pg';
import { DATABASE_FILE } from '../../src/service/files/dataDirectoryLayout';
import type { FleetServiceOptions } from '../../src/service/fleetService';
import { type ObjectsLocation, parseObjectsUrl } from '../../src/service/objects/objectBucket';
import { openObjectBucket } from '../../src/service/objects/openObjectBucket';
import { databaseAccessContract } from './cases/databaseAccess';
import { queryStreamContract } from './cases/queryStreams';
import { tabularDeletionContract } from './cases/tabularDeletion';
import { tabularExportContract } from './cases/tabularExports';
import { tabularLatestContract } from './cases/tabularLatest';
import { tabularMqlContract } from './cases/tabularMql';
import { tabularPageContract } from './cases/tabularPages';
import { tabularSqlContract } from './cases/tabularSql';
import { tabularUploadContract } from './cases/tabularUploads';
import {
  type LocalDeployment,
  onPostgres,
  signInAsOwner,
  startNodes,
  startRouterDeployment,
} from './deployment';
import type { Fleet } from './fleetFixture';
import { describeObjectStore, objectStoreForTests } from '../support/objectStore';
import { PassingClock, type TestClock } from '../support/testClock';

const STARTING_MS = 60_000;
const TEST_MS = 120_000;
/** Makes all readings old, even those that are stored later on the same day. */
const EVERYTHING = { hotReadingsDays: -1 };

/** Contracts about readings that are in both the records and files. */
const MIXED = [
  tabularPageContract,
  tabularExportContract,
  tabularLatestContract,
  tabularDeletionContract,
  tabularSqlContract,
];
const ALL = [
  ...MIXED,
  tabularUploadContract,
  tabularMqlContract,
  queryStreamContract,
  databaseAccessContract,
];

/** Returns the numbers of readings in the records and in files with cold readings. */
type CountRows = () => Promise<{ recorded: number; cold: number }>;

interface Started {
  deployment: LocalDeployment;
  countRows: CountRows;
  clean: () => void;
}

const COUNTS = `select (select count(*) from readings) as recorded,
  (select coalesce(sum(row_count), 0) from lake_files where place = 'cold') as cold`;

/**
 * Moves all readings to files after some uploads, before their callers receive the response.
 * @param interval number of uploads between moves; later uploads remain in the records until the next
 *   move, which is a node's own if several share the work.
 * @param retained called after each upload whose readings weren't moved.
 */
function moving(
  deployment: LocalDeployment,
  interval: number,
  retained: () => Promise<void>,
): LocalDeployment {
  let uploads = 0;
  const move: Interceptor = (next) => async (request) => {
    const response = await next(request);
    if (request.method.name === 'DataCaptureUpload') {
      uploads += 1;
      await (uploads % interval === 0 ? deployment.moveOldReadings() : retained());
    }
    return response;
  };
  return {
    ...deployment,
    transport: (interceptors) => deployment.transport([...interceptors, move]),
  };
}

function describeMoved(
  name: string,
  interval: number,
  start: (clock: TestClock) => Promise<Started>,
): void {
  describe(`fleet contract: ${name}`, function () {
    this.timeout(TEST_MS);
    let running: Fleet | undefined;
    let countRows: CountRows;
    let clean: () => void;
    let isMixed = false;

    before(async function () {
      this.timeout(STARTING_MS);
      const clock = new PassingClock();
      const started = await start(clock);
      ({ countRows, clean } = started);
      const deployment = moving(started.deployment, interval, async () => {
        if (isMixed) return;
        const { recorded, cold } = await countRows();
        isMixed = recorded > 0 && cold > 0;
      });
      running = { deployment, clock, owner: await signInAsOwner(deployment) };
    });
    after(async () => {
      await running?.deployment.stop();
      clean();
    });
    const fleet = (): Fleet => {
      if (running === undefined) throw new Error('the deployment has not started');
      return running;
    };
    for (const contract of interval === 1 ? ALL : MIXED) contract(fleet);

    // Nested, because Mocha runs a suite's own tests before the nested suites.
    describe('after all', () => {
      it('has the readings in files', async () => {
        const { recorded, cold } = await countRows();
        assert.ok(cold > 100, `${String(cold)} cold readings`);
        if (interval === 1) assert.equal(recorded, 0, 'readings in the records');
        else assert.ok(isMixed, 'readings in the records and in files at the same time');
      });
    });
  });
}

/** Starts a service whose records are in an SQLite file. */
async function startSqlite(
  clock: TestClock,
  createOptions: (dataDir: string) => Promise<Partial<FleetServiceOptions>>,
): Promise<Started> {
  const dataDir = mkdtempSync(join(tmpdir(), 'fleetwright-test-'));
  const options = { dataDir, ...EVERYTHING, ...(await createOptions(dataDir)) };
  return {
    deployment: await startRouterDeployment(clock, undefined, options),
    countRows: () => {
      using database = new DatabaseSync(join(dataDir, DATABASE_FILE));
      const { recorded, cold } = database.prepare(COUNTS).get() ?? {};
      return Promise.resolve({ recorded: Number(recorded), cold: Number(cold) });
    },
    clean: () => {
      rmSync(dataDir, { recursive: true });
    },
  };
}

for (const [name, interval] of [
  ['router, SQLite, while all readings are cold', 1],
  ['router, SQLite, while some readings are cold', 2],
] as const) {
  describeMoved(name, interval, (clock) => startSqlite(clock, () => Promise.resolve({})));
}

describeObjectStore('readings in a bucket', () => {
  describeMoved('router, SQLite and a bucket, while some readings are cold', 10, (clock) =>
    startSqlite(clock, async (dataDir) => {
      const url = await (await objectStoreForTests()).createBucket();
      const bucket = await openObjectBucket(parseObjectsUrl(url) as ObjectsLocation);
      return {
        objects: { bucket, cacheDirectory: join(dataDir, 'cache'), cacheBytes: 1024 ** 3 },
      };
    }),
  );

  describeMoved('gRPC, two nodes, while some readings are cold', 2, async (clock) => {
    let url = '';
    const deployment = await onPostgres((databaseUrl) => {
      url = databaseUrl;
      return startNodes(clock, 'gRPC', databaseUrl, EVERYTHING);
    });
    return {
      deployment,
      countRows: async () => {
        const client = new Client({ connectionString: url });
        await client.connect();
        const { rows } = await client.query<{ recorded: string; cold: string }>(COUNTS);
        await client.end();
        return { recorded: Number(rows[0]?.recorded), cold: Number(rows[0]?.cold) };
      },
      clean: () => undefined,
    };
  });
});
