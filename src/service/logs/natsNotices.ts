import { connect, type NatsConnection } from '@nats-io/transport-node';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../base/logger';
import type { NodeNotices, NoticeReceiver } from './nodeNotices';

const TIMEOUT_MS = 5_000;
const RETRY_MS = 500;
/** Interval of pings. A connection is replaced after two unanswered pings. */
const PING_INTERVAL_MS = 5_000;
const MAX_UNANSWERED_PINGS = 2;
const NAME = 'fleetwright';
const SUBJECT = 'fleetwright.notices';

/** Address of a NATS server, and the credentials for it. */
export interface NatsServer {
  /** Host with a port. */
  host: string;
  usesTls: boolean;
  user: string | undefined;
  password: string | undefined;
  token: string | undefined;
}

export interface NatsNoticesOptions {
  server: NatsServer;
  logger: Logger;
  /** Interval of pings in milliseconds. Tests use a shorter one. */
  pingIntervalMs?: number;
}

/**
 * Notices through a NATS server. While it can't be reached, notices are dropped, and the connection
 * is retried in the background.
 */
export class NatsNotices implements NodeNotices {
  private readonly closed = new AbortController();
  private readonly connecting: Promise<void>;
  private connection: NatsConnection | undefined;
  private isConnected = false;

  /** Connects in the background. */
  constructor(
    private readonly options: NatsNoticesOptions,
    private readonly receiver: NoticeReceiver,
  ) {
    this.connecting = this.connect();
  }

  send(notice: string): Promise<void> {
    try {
      // The client would otherwise buffer notices without a limit until it is connected again.
      if (this.isConnected) this.connection?.publish(SUBJECT, notice);
    } catch (error) {
      // For example, the notice is longer than the server allows.
      this.warn(error);
    }
    return Promise.resolve();
  }

  async close(): Promise<void> {
    this.closed.abort();
    this.isConnected = false;
    await this.connecting;
    await this.connection?.close();
  }

  private async connect(): Promise<void> {
    const { signal } = this.closed;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        const connection = await this.openConnection();
        this.connection = connection;
        void this.followStatus(connection);
        void this.resume(connection);
        return;
      } catch (error) {
        if (attempt === 0) this.warn(error);
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  private async openConnection(): Promise<NatsConnection> {
    const { host, usesTls, user, password, token } = this.options.server;
    const connection = await connect({
      servers: host,
      name: NAME,
      noEcho: true,
      timeout: TIMEOUT_MS,
      maxReconnectAttempts: -1,
      // Credentials are rejected temporarily while they are being replaced.
      ignoreAuthErrorAbort: true,
      reconnectTimeWait: RETRY_MS,
      pingInterval: this.options.pingIntervalMs ?? PING_INTERVAL_MS,
      maxPingOut: MAX_UNANSWERED_PINGS,
      ...(usesTls && { tls: {} }),
      ...(user !== undefined && { user }),
      ...(password !== undefined && { pass: password }),
      ...(token !== undefined && { token }),
    });
    connection.subscribe(SUBJECT, {
      callback: (error, message) => {
        if (error === null) this.receiver.receive(message.string());
        else this.warn(error);
      },
    });
    return connection;
  }

  private async followStatus(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') {
        this.isConnected = false;
        this.warn('the connection was closed');
      } else if (type === 'reconnect') {
        void this.resume(connection);
      }
    }
  }

  private async resume(connection: NatsConnection): Promise<void> {
    this.isConnected = !this.closed.signal.aborted;
    try {
      // The server handles commands in order, so by then it has also handled the subscription.
      await connection.flush();
      this.receiver.resume();
    } catch {
      // The connection was lost again. Its replacement resumes.
    }
  }

  private warn(error: unknown): void {
    if (this.closed.signal.aborted) return;
    this.options.logger.warn(
      'NATS is not reachable: live logs show lines from other services up to a second later',
      { host: this.options.server.host, error: String(error) },
    );
  }
}
