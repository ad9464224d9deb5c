import assert from 'node:assert/strict';
import { deserialize } from 'bson';
import { ReadingsLake } from '../../src/service/lake/readingsLake';
import { QueryProcesses } from '../../src/service/query/queryProcesses';
import { lastReadingId } from '../../src/service/store/data/lakeManifest';
import { insertReadings } from '../../src/service/handlers/data/uploads';
import { deleteReadings } from '../../src/service/store/data/readingsDeletion';
import { openPostgresStore, openSqliteStore } from '../../src/service/store/openStore';
import type { Store } from '../../src/service/store/store';
import { bundledProgram } from '../support/bundledProgram';
import { LakeNode } from '../support/lakeNode';
import { organizationRow, seriesRow } from '../support/lakeRows';
import { describeObjectStore, objectStoreForTests } from '../support/objectStore';
import { postgresForTests, type TestPostgres } from '../support/postgres';
import { silentLogger } from '../support/silentLogger';

const DAY = 86_400_000_000;
const START = Date.UTC(2026, 0, 1) * 1000;
const ORGANIZATION = 'acme';
const WRITERS = 6;
const UPLOADS = 20;
const READINGS = 10;
const TIMEOUT_MS = 120_000;

/**
 * Number of services, like those on different computers that share a database and possibly a
 * bucket.
 */
const LAKES = 2;

describe('the lake during concurrent uploads and deletions', function () {
  this.timeout(TIMEOUT_MS);
  let runner: QueryProcesses;
  let postgres: TestPostgres;

  before(async () => {
    runner = new QueryProcesses({
      program: await bundledProgram('queryProcess'),
      logger: silentLogger,
    });
    postgres = await postgresForTests();
  });

  after(async () => {
    await runner.close();
    await postgres.stop();
  });

  const openFolder = (store: Store): Promise<ReadingsLake> =>
    ReadingsLake.open({
      store,
      runner,
      logger: silentLogger,
      directory: undefined,
      now: () => START,
    });

  it('loses and duplicates nothing with SQLite', async () => {
    await race(await openSqliteStore(undefined), openFolder);
  });

  it('loses and duplicates nothing with PostgreSQL', async () => {
    await race(await openPostgresStore(await postgres.url(), silentLogger), openFolder);
  });

  describeObjectStore('in a bucket', () => {
    it('loses and duplicates nothing with PostgreSQL', async () => {
      const url = await (await objectStoreForTests()).createBucket();
      await using nodes = new AsyncDisposableStack();
      await race(await openPostgresStore(await postgres.url(), silentLogger), async (store) => {
        const node = nodes.use(await LakeNode.open({ store, url, runner }));
        return node.lake;
      });
    });
  });

  async function race(
    store: Store,
    openLake: (store: Store) => Promise<ReadingsLake>,
  ): Promise<void> {
    await store.insertInto('organizations').values(organizationRow(ORGANIZATION)).execute();
    const lakes = await Promise.all(Array.from({ length: LAKES }, () => openLake(store)));
    try {
      const acknowledged = new Set<number>();
      let isWriting = true;
      const writing = Promise.all(
        Array.from({ length: WRITERS }, (_, writer) => write(store, writer, acknowledged)),
      ).finally(() => {
        isWriting = false;
      });
      const reading = lakes.map(async (lake) => {
        while (isWriting) {
          const before = [...acknowledged];
          const found = await numbers(lake);
          // Deleted readings have odd numbers, so all acknowledged readings with even numbers must
          // exist.
          const missing = before.filter((n) => n % 2 === 0 && !found.has(n));
          assert.deepEqual(missing, []);
        }
      });
      await Promise.all([writing, ...reading, deleteOdd(store, () => isWriting)]);
      const stored = await store.selectFrom('readings').select('payload').execute();
      const expected = stored.map(({ payload }) => (JSON.parse(payload) as { n: number }).n);
      for (const lake of lakes) {
        assert.deepEqual([...(await numbers(lake))].toSorted(byValue), expected.toSorted(byValue));
        lake.readingsDeleted(ORGANIZATION);
        await lake.waitUntilIdle();
        assert.deepEqual([...(await numbers(lake))].toSorted(byValue), expected.toSorted(byValue));
      }
      assert.deepEqual(await store.selectFrom('deleted_readings').selectAll().execute(), []);
    } finally {
      await Promise.all(lakes.map((lake) => lake.close()));
      await store.destroy();
    }
  }

  /** Returns the numbers in the readings; asserts that each exists only once. */
  async function numbers(lake: ReadingsLake): Promise<Set<number>> {
    await using snapshot = await lake.snapshot(ORGANIZATION, { recent: false });
    const { readings } = snapshot;
    const found = new Set<number>();
    const sql = 'select data.n as n from readings';
    for await (const document of runner.run({ kind: 'sql', sql, readings })) {
      const n = Number(deserialize(document).n);
      assert.ok(!found.has(n), `reading ${n} is there twice`);
      found.add(n);
    }
    return found;
  }
});

/** Uploads the data of one machine; each upload has readings of two series over three days. */
async function write(store: Store, writer: number, acknowledged: Set<number>): Promise<void> {
  for (let upload = 0; upload < UPLOADS; upload++) {
    const base = (writer * UPLOADS + upload) * READINGS * 2;
    for (const parity of [0, 1]) {
      const values = Array.from({ length: READINGS }, (_, index) => base + index * 2 + parity);
      await store.transaction().execute((transaction) =>
        insertReadings(
          transaction,
          seriesRow(ORGANIZATION, parity === 0 ? 'even' : 'odd'),
          values.map((n) => ({
            requestedAt: START + (n % 3) * DAY + n * 1000,
            receivedAt: START,
            payload: JSON.stringify({ n }),
          })),
          START,
        ),
      );
      for (const n of values) acknowledged.add(n);
    }
  }
}

async function deleteOdd(store: Store, isWriting: () => boolean): Promise<void> {
  while (isWriting()) {
    await deleteReadings(
      store,
      {
        organizationId: ORGANIZATION,
        series: { scopes: [], columns: [{ column: 'component_name', anyOf: ['odd'] }] },
        beforeDay: undefined,
        throughId: await lastReadingId(store),
      },
      new AbortController().signal,
    );
  }
}

function byValue(a: number, b: number): number {
  return a - b;
}
