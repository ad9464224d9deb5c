import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { startPostgresCluster } from './postgresCluster';

/** Names another server to test against, by an address whose user may create databases. */
const serverVariable = 'FLEETWRIGHT_TEST_POSTGRES_URL';

/** PostgreSQL for one suite: databases nobody else uses. */
export interface TestPostgres {
  /** Makes an empty database and resolves to its address (`postgres://…`). */
  url(): Promise<string>;
  /** Drops the databases this suite made, and whatever is still connected to them. */
  stop(): Promise<void>;
}

/** Starting a cluster costs seconds: every suite of a test process shares this one. */
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
 * A real PostgreSQL server for a suite: the one that `FLEETWRIGHT_TEST_POSTGRES_URL` names, else one
 * started here for the whole test process, which ends with it.
 *
 * @throws Error saying what to do, where there is neither
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
