import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { startPostgresCluster } from './postgresCluster';

/**
 * Environment variable with the URL of another server for the tests; its user must be able to
 * create databases.
 */
const serverVariable = 'FLEETWRIGHT_TEST_POSTGRES_URL';

/** PostgreSQL for one suite, with databases that no other suite uses. */
export interface TestPostgres {
  /** Creates an empty database and resolves to its URL (`postgres://…`). */
  url(): Promise<string>;
  /** Drops the databases that this suite created, and closes connections to them. */
  stop(): Promise<void>;
}

/**
 * Address of the cluster that all suites of a test process share, because starting a cluster takes
 * seconds.
 */
let clusterAddress: Promise<string> | undefined;

async function serverAddress(): Promise<string> {
  const named = process.env[serverVariable];
  if (named !== undefined && named !== '') return named;
  return (await startPostgresCluster()).adminUrl;
}

async function asAdmin(adminUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Returns a real PostgreSQL server for a suite: the one in `FLEETWRIGHT_TEST_POSTGRES_URL` or, by
 * default, one that is started once per test process and stopped with it.
 *
 * @throws Error that explains what to do if neither is available
 */
export async function postgresForTests(): Promise<TestPostgres> {
  const adminUrl = await (clusterAddress ??= serverAddress());
  const made: string[] = [];
  return {
    async url() {
      const name = `fleetwright_${randomUUID().replaceAll('-', '')}`;
      await asAdmin(adminUrl, `CREATE DATABASE ${name}`);
      made.push(name);
      const address = new URL(adminUrl);
      address.pathname = `/${name}`;
      return address.href;
    },
    async stop() {
      for (const name of made.splice(0)) {
        await asAdmin(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }
    },
  };
}
