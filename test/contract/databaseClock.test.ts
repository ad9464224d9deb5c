import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { DatabaseClock } from '../../src/service/store/databaseClock';
import { openPostgresStore } from '../../src/service/store/openStore';
import type { Store } from '../../src/service/store/store';
import { postgresForTests, type TestPostgres } from '../support/postgres';
import { RecordingLogger } from '../support/recordingLogger';

/** Timeout that includes the installation of a PostgreSQL server before its first use. */
const TIMEOUT_MS = 120_000;
const HOUR_MS = 3_600_000;
/** Error of a time that is truncated to milliseconds, at both ends of an interval. */
const ROUNDING_MS = 2;

describe('DatabaseClock', function () {
  this.timeout(TIMEOUT_MS);
  const logger = new RecordingLogger();
  let postgres: TestPostgres;
  let store: Store;

  before(async () => {
    postgres = await postgresForTests();
    store = await openPostgresStore(await postgres.url(), logger);
  });
  after(async () => {
    await store.destroy();
    await postgres.stop();
  });

  const readDatabaseTime = async (): Promise<number> => {
    const { rows } = await sql<{ time: Date }>`select clock_timestamp() as time`.execute(store);
    return rows[0]?.time.getTime() ?? 0;
  };

  for (const hours of [-1, 1]) {
    it(`follows the database if the computer is ${String(hours)} hours ahead`, async () => {
      const own = { now: () => new Date(Date.now() + hours * HOUR_MS) };
      const openedAt = await readDatabaseTime();
      using clock = await DatabaseClock.open(store, own, logger);
      const measuredAt = await readDatabaseTime();
      // The measurement is wrong by half of its duration at most.
      const tolerance = measuredAt - openedAt + ROUNDING_MS;
      const before = await readDatabaseTime();
      const now = clock.now().getTime();
      const after = await readDatabaseTime();
      assert.ok(before - tolerance <= now && now <= after + tolerance);
    });
  }

  it('warns about a wrong clock', () => {
    assert.match(logger.lines[0]?.message ?? '', /this computer's clock is wrong/);
  });
});
