import { connect, type NatsConnection } from '@nats-io/transport-node';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../base/logger';
import type { NodeNotices, NoticeReceiver } from './nodeNotices';

const TIMEOUT_MS = 5_000;
const RETRY_MS = 500;
const PING_INTERVAL_MS = 15_000;
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
    private readonly options: { server: NatsServer; logger: Logger },
    private readonly receiver: NoticeReceiver,
  ) {
    this.connecting = this.connect();
  }

  send(notice: string): Promise<void> {
    // The client would otherwise buffer notices without a limit until it is connected again.
    if (this.isConnected) this.connection?.publish(SUBJECT, notice);
    return Promise.resolve();
  }

  async close(): Promise<void> {
    this.closed.abort();
    await this.connecting;
    await this.connection?.close();
  }

  private async connect(): Promise<void> {
    const { signal } = this.closed;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        this.connection = await this.openConnection();
        this.isConnected = true;
        this.receiver.resume();
        void this.followStatus(this.connection);
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
      pingInterval: PING_INTERVAL_MS,
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
        this.isConnected = true;
        this.receiver.resume();
      }
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
