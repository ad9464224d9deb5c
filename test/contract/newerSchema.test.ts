import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createClient } from '@connectrpc/connect';
import { Client } from 'pg';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { migrateToLatest, VERSIONS } from '../../src/service/store/migrations/migrations';
import { POSTGRES_SCHEMA } from '../../src/service/store/migrations/schemaDialect';
import { connectPostgresStore } from '../../src/service/store/openStore';
import { postgresForTests, type TestPostgres } from '../support/postgres';
import { RunningService } from '../support/runningService';
import { ServiceProgram } from '../support/serviceProgram';
import { silentLogger } from '../support/silentLogger';
import { waitUntil } from '../support/waitUntil';

const TIMEOUT_MS = 300_000;
const MARK_BREAKING =
  "insert into service_settings (name, value) values ('oldest_schema', '9999-future')";
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
      database.exec(`${INSERT};${MARK_BREAKING}`);
      return Promise.resolve();
    };
    assertExplained(await serveAfter(change, ['--data', data]));
  });

  it('requires an update if the data is in PostgreSQL', async () => {
    const url = await postgres.url();
    const change = async (): Promise<void> => {
      const client = new Client(url);
      await client.connect();
      await client.query(`${INSERT};${MARK_BREAKING}`);
      await client.end();
    };
    assertExplained(await serveAfter(change, ['--data', program.path(), '--database-url', url]));
  });

  it('runs while and after a newer version migrates it, if the schema only has additions', async () => {
    const url = await postgres.url();
    const options = ['--data', program.path(), '--database-url', url];
    const first = await RunningService.of(program.serve(...options));
    const app = createClient(AppService, first.transport);
    const created: string[] = [];
    const migration = new AbortController();
    const create = async (): Promise<void> => {
      const { organizationId } = first.key;
      const name = `Hall ${String(created.length)}`;
      const { location } = await app.createLocation({ organizationId, name });
      created.push(location?.name ?? '');
    };
    const writing = (async () => {
      while (!migration.signal.aborted) await create();
      await create();
    })();
    await waitUntil(() => created.length > 0);
    const newer = connectPostgresStore(url, silentLogger);
    const statements = (): string[] => [
      `alter table locations add column floor bigint not null default 0`,
      `create index locations_by_floor on locations (floor)`,
      `create table floors (id text primary key)`,
    ];
    await migrateToLatest(newer, POSTGRES_SCHEMA, { ...VERSIONS, '9999-future': { statements } });
    migration.abort();
    await writing;
    const rows = await newer.selectFrom('locations').select('name').execute();
    const names = new Set(rows.map(({ name }) => name));
    assert.ok(created.every((name) => names.has(name)));
    await newer.destroy();
    await first.stop();
    const second = await RunningService.of(program.serve(...options));
    const { organizationId } = second.key;
    const { locations } = await createClient(AppService, second.transport).listLocations({
      organizationId,
    });
    assert.equal(locations.length, rows.length);
    await second.stop();
  });
});
