import assert from 'node:assert/strict';
import { Client } from 'pg';
import { postgresForTests } from '../../support/postgres';

describe('postgresForTests', () => {
  it('hands out empty databases of a real server and drops them', async function () {
    this.timeout(120_000);
    const postgres = await postgresForTests();
    const [first, second] = [await postgres.url(), await postgres.url()];
    assert.notEqual(first, second);
    const client = new Client({ connectionString: first });
    await client.connect();
    const { rows } = await client.query<{ version: string }>('SELECT version()');
    assert.match(rows[0]?.version ?? '', /^PostgreSQL/);
    await client.end();
    await postgres.stop();
    await assert.rejects(new Client({ connectionString: first }).connect(), /does not exist/);
  });
});
