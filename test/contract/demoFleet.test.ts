import assert from 'node:assert/strict';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { postgresForTests, type TestPostgres } from '../support/postgres';
import { TestClock } from '../support/testClock';
import { type FleetContent, openFleet, readFleet } from '../support/loadedFleet';
import { readCaptures } from '../support/readCaptures';

const TIMEOUT_MS = 180_000;

/** Returns the content that is the same in each load: everything except IDs and secrets. */
function summarizeContent(content: FleetContent) {
  const parts = new Map(content.parts.map(({ id, name }) => [id, name]));
  return {
    organizations: content.organizations.map(({ name, createdOn }) => [name, createdOn]),
    locations: content.locations.map(({ name, createdOn }) => [name, createdOn]),
    fragments: content.fragments.map(({ name, visibility, lastUpdated }) => [
      name,
      visibility,
      lastUpdated,
    ]),
    machines: content.machines.map(({ name, onlineState, lastAccess }) => [
      name,
      onlineState,
      // Truncate to milliseconds, because the microseconds depend on earlier calls, and machines
      // connect concurrently.
      lastAccess && timestampMs(lastAccess),
    ]),
    history: content.history.map(({ part, when }) => [parts.get(part), when]),
  };
}

describe('the demo fleet in PostgreSQL', function () {
  this.timeout(TIMEOUT_MS);
  let postgres: TestPostgres;

  before(async () => {
    postgres = await postgresForTests();
  });

  after(() => postgres.stop());

  it('is the same as in the embedded store', async () => {
    const inMemory = await openFleet({ clock: new TestClock(), demo: true });
    const expected = summarizeContent(await readFleet(inMemory.app));
    const captures = await readCaptures(inMemory);
    await inMemory.service.close();

    const databaseUrl = await postgres.url();
    const inPostgres = await openFleet({ clock: new TestClock(), demo: true, databaseUrl });
    assert.deepEqual(summarizeContent(await readFleet(inPostgres.app)), expected);
    assert.deepEqual(await readCaptures(inPostgres), captures);
    await inPostgres.service.close();
  });
});
