import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { getErrorCode } from '../../src/base/errorCode';
import { type PostgresCluster, startPostgresCluster } from './postgresCluster';
import { waitUntil } from './waitUntil';

const SETTINGS = ['wal_level=replica', 'wal_keep_size=1GB', 'synchronous_commit=on'];
const PROMOTION_SECONDS = 60;
const MAX_COPY_ATTEMPTS = 5;
/** Files that belong to the running server, and the WAL, which the replica receives. */
const EXCLUDED = /postmaster\.(pid|opts)$|pg_wal\/./;

/**
 * PostgreSQL primary with a streaming replica, which has each commit before the primary acknowledges
 * it.
 */
export class ReplicatedPostgres implements Disposable {
  private replica: PostgresCluster | undefined;

  private constructor(private primary: PostgresCluster) {}

  static async start(): Promise<ReplicatedPostgres> {
    const servers = new ReplicatedPostgres(await startPostgresCluster({ settings: SETTINGS }));
    await servers.addReplica();
    return servers;
  }

  /** URL of the current primary's database. */
  get url(): string {
    return this.primary.adminUrl;
  }

  /**
   * Copies the primary to a replica. When the replica has caught up, commits begin to wait for it.
   */
  async addReplica(): Promise<void> {
    if (this.replica !== undefined) throw new Error('there is a replica already');
    const folder = mkdtempSync(join(tmpdir(), 'fleetwright-test-'));
    const client = new Client({ connectionString: this.url });
    await client.connect();
    try {
      await client.query("select pg_backup_start('replica', fast => true)");
      const base = await copyData(this.primary.dataFolder, folder);
      const { rows } = await client.query<{ labelfile: string }>(
        'select labelfile from pg_backup_stop(wait_for_archive => false)',
      );
      writeFileSync(join(base, 'backup_label'), rows[0]?.labelfile ?? '');
      writeFileSync(join(base, 'standby.signal'), '');
      const { hostname, port, username } = new URL(this.url);
      const primary = `host=${hostname} port=${port} user=${username}`;
      const settings = [...SETTINGS, `primary_conninfo=${primary}`];
      this.replica = await startPostgresCluster({ base, settings });
      const hasReplica = async (
        column: 'state' | 'sync_state',
        value: string,
      ): Promise<boolean> => {
        const found = `select 1 from pg_stat_replication where ${column} = '${value}'`;
        return (await client.query(found)).rowCount === 1;
      };
      await waitUntil(() => hasReplica('state', 'streaming'));
      // In the options of the server, it would affect commits before there is a replica.
      await client.query("alter system set synchronous_standby_names = '*'");
      await client.query('select pg_reload_conf()');
      await waitUntil(() => hasReplica('sync_state', 'sync'));
    } finally {
      await client.end();
      rmSync(folder, { recursive: true });
    }
  }

  /** Kills the primary and promotes the replica. Resolves when it accepts writes. */
  async failOver(): Promise<void> {
    const { replica } = this;
    if (replica === undefined) throw new Error('there is no replica');
    this.primary.kill();
    this.primary = replica;
    this.replica = undefined;
    const client = new Client({ connectionString: this.url });
    await client.connect();
    try {
      const { rows } = await client.query<{ done: boolean }>(
        `select pg_promote(true, ${String(PROMOTION_SECONDS)}) as done`,
      );
      if (rows[0]?.done !== true) throw new Error('the replica could not be promoted');
    } finally {
      await client.end();
    }
  }

  [Symbol.dispose](): void {
    this.replica?.stop();
    this.primary.stop();
  }
}

/** Copies the files of a running server, which can delete some of them at the same time. */
async function copyData(dataFolder: string, target: string): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const copy = join(target, String(attempt));
    try {
      await cp(dataFolder, copy, { recursive: true, filter: (path) => !EXCLUDED.test(path) });
      return copy;
    } catch (error) {
      const isDeleted = getErrorCode(error) === 'ENOENT';
      if (!isDeleted || attempt === MAX_COPY_ATTEMPTS) throw error;
    }
  }
}
