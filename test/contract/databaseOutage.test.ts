import assert from 'node:assert/strict';
import { Code, ConnectError, createClient, createRouterTransport } from '@connectrpc/connect';
import { sql } from 'kysely';
import { Client } from 'pg';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { openPostgresStore } from '../../src/service/store/openStore';
import type { Store } from '../../src/service/store/store';
import { storeErrorInterceptor } from '../../src/service/store/storeErrors';
import { postgresForTests, type TestPostgres } from '../support/postgres';
import { RecordingLogger } from '../support/recordingLogger';
import { waitUntil } from '../support/waitUntil';

/** Timeout that includes the installation of a PostgreSQL server before its first use. */
const STARTING_MS = 60_000;

describe('a PostgreSQL database that closes a connection', function () {
  this.timeout(STARTING_MS);
  const logger = new RecordingLogger();
  let postgres: TestPostgres;
  let store: Store;
  let admin: Client;

  before(async () => {
    postgres = await postgresForTests();
    const url = await postgres.url();
    store = await openPostgresStore(url, logger);
    admin = new Client({ connectionString: url });
    await admin.connect();
  });
  after(async () => {
    await admin.end();
    await store.destroy();
    await postgres.stop();
  });

  it('between two queries of a call fails only that call, as unavailable', async () => {
    const client = createClient(
      AppService,
      createRouterTransport(
        (router) => {
          router.service(AppService, {
            listOrganizations: () =>
              store.transaction().execute(async (transaction) => {
                const { rows } = await sql<{
                  pid: number;
                }>`select pg_backend_pid() as pid`.execute(transaction);
                await admin.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
                await waitUntil(() => logger.lines.length > 0);
                await sql`select 1`.execute(transaction);
                return {};
              }),
          });
        },
        { router: { interceptors: [storeErrorInterceptor(logger)] } },
      ),
    );
    await assert.rejects(client.listOrganizations({}), (error) => {
      assert.ok(error instanceof ConnectError);
      assert.equal(Code[error.code], Code[Code.Unavailable], error.message);
      return true;
    });
    assert.match(logger.lines[0]?.message ?? '', /a connection to the database was lost/);
    await sql`select 1`.execute(store);
  });
});
