import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { postgresForTests, type TestPostgres } from '../support/postgres';
import { RunningService } from '../support/runningService';
import { ServiceProgram } from '../support/serviceProgram';

const TIMEOUT_MS = 300_000;
const INSERT = "insert into kysely_migration values ('9999-future', '2030-01-01T00:00:00.000Z')";

describe('the service with data of a newer version', function () {
  this.timeout(TIMEOUT_MS);
  let program: ServiceProgram;
  let postgres: TestPostgres;

  before(async () => {
    program = await ServiceProgram.build();
    postgres = await postgresForTests();
  });
  afterEach(() => program.end());
  after(async () => {
    await program[Symbol.asyncDispose]();
    await postgres.stop();
  });

  /**
   * Starts the service, changes its database, and returns the reason why the service doesn't start
   * again.
   */
  async function serveAfter(change: () => Promise<void>, options: string[]): Promise<string> {
    await (await RunningService.of(program.serve(...options))).stop();
    await change();
    const { exitCode, stderr } = await program.serve(...options).ended;
    assert.equal(exitCode, 1, stderr);
    return stderr;
  }

  function assertExplained(stderr: string): void {
    assert.match(stderr, /newer version of Fleetwright \(schema 9999-future\): update Fleetwright/);
    assert.doesNotMatch(stderr, /repair it|database is running/);
  }

  it('requires an update if the data is in SQLite', async () => {
    const data = program.path();
    const change = (): Promise<void> => {
      using database = new DatabaseSync(join(data, 'fleet.db'));
      database.exec(INSERT);
      return Promise.resolve();
    };
    assertExplained(await serveAfter(change, ['--data', data]));
  });

  it('requires an update if the data is in PostgreSQL', async () => {
    const url = await postgres.url();
    const change = async (): Promise<void> => {
      const client = new Client(url);
      await client.connect();
      await client.query(INSERT);
      await client.end();
    };
    assertExplained(await serveAfter(change, ['--data', program.path(), '--database-url', url]));
  });
});
