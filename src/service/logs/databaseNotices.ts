import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Logger } from '../../base/logger';

const TIMEOUT_MS = 10_000;
const CHECK_MS = 15_000;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 10_000;
const NAME = 'fleetwright notices';

export interface NoticeOptions {
  databaseUrl: string;
  channel: string;
  logger: Logger;
  /** Called with every notification, in commit order. */
  onNotification: (text: string) => void;
  /** Called when notifications can no longer be received. */
  lost: () => void;
  /** Called when notifications can be received again. */
  resumed: () => void;
}

/** Listens to a channel in a PostgreSQL database over a dedicated connection. */
export class DatabaseNotices {
  private readonly closed = new AbortController();
  private client: Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private reconnecting: Promise<void> = Promise.resolve();

  private constructor(private readonly options: NoticeOptions) {}

  /** @throws if the database can't be reached or doesn't support notifications. */
  static async open(options: NoticeOptions): Promise<DatabaseNotices> {
    const notices = new DatabaseNotices(options);
    notices.client = await notices.connect();
    // Detects a lost connection that neither side might otherwise notice.
    notices.timer = setInterval(() => {
      void notices.run('select 1').catch(() => undefined);
    }, CHECK_MS).unref();
    return notices;
  }

  /** True while notifications can be received. */
  get isListening(): boolean {
    return this.client !== undefined;
  }

  /**
   * Runs a statement on this connection. If it fails, closes the connection.
   * @throws any error from the statement; an Error if there is no connection.
   */
  async run(text: string, values: readonly string[] = []): Promise<void> {
    const client = this.client;
    if (client === undefined) {
      throw new Error('Connection terminated: database notifications are not received');
    }
    try {
      await client.query(text, [...values]);
    } catch (error) {
      this.handleFailure(client, error);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.closed.abort();
    clearInterval(this.timer);
    await this.reconnecting;
    const client = this.client;
    this.client = undefined;
    await client?.end();
  }

  private async connect(): Promise<Client> {
    const { databaseUrl, channel, onNotification } = this.options;
    const client = new Client({
      connectionString: databaseUrl,
      application_name: NAME,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      keepAlive: true,
    });
    client.on('notification', ({ payload = '' }) => {
      onNotification(payload);
    });
    client.on('error', (error) => {
      this.handleFailure(client, error);
    });
    client.on('end', () => {
      this.handleFailure(client, new Error('the connection was closed'));
    });
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
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
    const { lost, logger } = this.options;
    lost();
    logger.warn('database notifications are not received until the connection is restored', {
      error: String(error),
    });
    this.reconnecting = this.reconnect();
  }

  private async reconnect(): Promise<void> {
    const { signal } = this.closed;
    for (let wait = FIRST_RETRY_MS; ; wait = Math.min(wait * 2, MAX_RETRY_MS)) {
      await sleep(wait, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        this.client = await this.connect();
        this.options.resumed();
        return;
      } catch {
        // The failure is logged, and the connection attempt is repeated.
      }
    }
  }
}
