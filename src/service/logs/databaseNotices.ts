import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Logger } from '../../base/logger';
import type { NodeNotices, NoticeReceiver } from './nodeNotices';

const TIMEOUT_MS = 10_000;
const CHECK_MS = 15_000;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 10_000;
const NAME = 'fleetwright notices';
const CHANNEL = 'fleetwright_notices';

export interface DatabaseNoticesOptions {
  databaseUrl: string;
  logger: Logger;
}

/**
 * Notices through a channel of the PostgreSQL database, over a dedicated connection. Some poolers
 * and databases don't forward them.
 */
export class DatabaseNotices implements NodeNotices {
  private readonly closed = new AbortController();
  private client: Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private connecting: Promise<void>;

  /** Connects in the background. */
  constructor(
    private readonly options: DatabaseNoticesOptions,
    private readonly receiver: NoticeReceiver,
  ) {
    this.connecting = this.connect(0);
    // Detects a lost connection that neither side might otherwise notice.
    this.timer = setInterval(() => void this.run('select 1'), CHECK_MS).unref();
  }

  send(notice: string): Promise<void> {
    return this.run('select pg_notify($1, $2)', [CHANNEL, notice]);
  }

  async close(): Promise<void> {
    this.closed.abort();
    clearInterval(this.timer);
    await this.connecting;
    const client = this.client;
    this.client = undefined;
    if (client === undefined) return;
    const timer = setTimeout(() => client.connection.stream.destroy(), TIMEOUT_MS);
    await client.end().finally(() => clearTimeout(timer));
  }

  /** Runs a statement on the connection, if there is one. If it fails, replaces the connection. */
  private async run(text: string, values: string[] = []): Promise<void> {
    const client = this.client;
    try {
      await client?.query(text, values);
    } catch (error) {
      if (client !== undefined) this.handleFailure(client, error);
    }
  }

  private async connect(delayMs: number): Promise<void> {
    const { signal } = this.closed;
    for (let wait = delayMs; ; wait = Math.min(Math.max(FIRST_RETRY_MS, wait * 2), MAX_RETRY_MS)) {
      await sleep(wait, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        this.client = await this.openClient();
        this.receiver.resume();
        return;
      } catch (error) {
        if (wait === 0) this.warn(error);
      }
    }
  }

  private async openClient(): Promise<Client> {
    const client = new Client({
      connectionString: this.options.databaseUrl,
      application_name: NAME,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      keepAlive: true,
    });
    client.on('notification', ({ payload = '' }) => {
      this.receiver.receive(payload);
    });
    client.on('error', (error) => {
      this.handleFailure(client, error);
    });
    client.on('end', () => {
      this.handleFailure(client, new Error('the connection was closed'));
    });
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      return client;
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
  }

  private handleFailure(client: Client, error: unknown): void {
    if (this.client !== client) return;
    this.client = undefined;
    client.end().catch(() => undefined);
    this.warn(error);
    this.connecting = this.connect(FIRST_RETRY_MS);
  }

  private warn(error: unknown): void {
    this.options.logger.warn(
      'database notifications are not received: live logs show lines from other services up to a second later',
      { error: String(error) },
    );
  }
}
