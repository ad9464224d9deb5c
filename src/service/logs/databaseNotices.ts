import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Logger } from '../../base/logger';

const TIMEOUT_MS = 10_000;
const CHECK_MS = 15_000;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 10_000;
const NAME = 'fleetwright notices';

export interface NoticeOptions {
  databaseUrl: string;
  channel: string;
  logger: Logger;
  /** Hears every notice, in the order in which what they tell was committed. */
  heard: (text: string) => void;
  /** Hears that notices are missed from now on. */
  lost: () => void;
  /** Hears that none is missed any more. */
  resumed: () => void;
}

/** Hears what a PostgreSQL database is told on a channel, over a connection of its own. */
export class DatabaseNotices {
  readonly #closed = new AbortController();
  #client: Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reconnecting: Promise<void> = Promise.resolve();

  private constructor(private readonly options: NoticeOptions) {}

  /** @throws when the database cannot be reached, or has no notices. */
  static async open(options: NoticeOptions): Promise<DatabaseNotices> {
    const notices = new DatabaseNotices(options);
    notices.#client = await notices.#connect();
    // A connection may be gone without either side having been told.
    notices.#timer = setInterval(() => {
      void notices.run('select 1').catch(() => undefined);
    }, CHECK_MS).unref();
    return notices;
  }

  /** Whether notices are heard. */
  get isListening(): boolean {
    return this.#client !== undefined;
  }

  /**
   * Runs a statement on this connection; the connection is given up when that fails.
   * @throws what the statement throws; an Error when there is no connection.
   */
  async run(text: string, values: readonly string[] = []): Promise<void> {
    const client = this.#client;
    if (client === undefined) {
      throw new Error('Connection terminated: database notifications are not received');
    }
    try {
      await client.query(text, [...values]);
    } catch (error) {
      this.#giveUp(client, error);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#closed.abort();
    clearInterval(this.#timer);
    await this.#reconnecting;
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }

  async #connect(): Promise<Client> {
    const { databaseUrl, channel, heard } = this.options;
    const client = new Client({
      connectionString: databaseUrl,
      application_name: NAME,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      keepAlive: true,
    });
    client.on('notification', ({ payload = '' }) => {
      heard(payload);
    });
    client.on('error', (error) => {
      this.#giveUp(client, error);
    });
    client.on('end', () => {
      this.#giveUp(client, new Error('the connection was closed'));
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

  #giveUp(client: Client, error: unknown): void {
    if (this.#client !== client) {
      return;
    }
    this.#client = undefined;
    client.end().catch(() => undefined);
    const { lost, logger } = this.options;
    lost();
    logger.warn('database notifications are not received until the connection is restored', {
      error: String(error),
    });
    this.#reconnecting = this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    const { signal } = this.#closed;
    for (let wait = FIRST_RETRY_MS; ; wait = Math.min(wait * 2, LONGEST_RETRY_MS)) {
      await sleep(wait, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) {
        return;
      }
      try {
        this.#client = await this.#connect();
        this.options.resumed();
        return;
      } catch {
        // It was logged that there is no connection, and is tried again.
      }
    }
  }
}
