import { connect, type Socket } from 'node:net';
import type { Pool, PoolClient } from 'pg';

/** Times of connections to the database in milliseconds. Tests use shorter ones. */
export interface ConnectionTimes {
  /** Time after which a call fails that waits for a connection. */
  readonly connectMs: number;
  /** Interval between two checks of the connections that are in use. */
  readonly checkMs: number;
  /** Time within which a reachable server responds to a probe. */
  readonly probeTimeoutMs: number;
}

/** Default times. */
export const CONNECTION_TIMES: ConnectionTimes = {
  connectMs: 10_000,
  checkMs: 1_000,
  probeTimeoutMs: 4_000,
};
/** Number of checks without a byte from the server after which it is probed. */
const CHECKS_BEFORE_PROBE = 3;
/**
 * Number of checks without a byte after which a connection is lost although its server responds to
 * probes, for example because a firewall has dropped its state. It corresponds to more than the
 * longest statement and the longest pause within a transaction that the server allows.
 */
const MAX_SILENT_CHECKS = 65;
/** `SSLRequest` of the PostgreSQL protocol, which servers answer before anyone signs in. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

interface Silence {
  bytesRead: number;
  checks: number;
  isProbing: boolean;
}

/** Error of the statements on a connection whose server doesn't respond. */
class SilentConnectionError extends Error {
  override readonly name = 'SilentConnectionError';
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('the database does not respond');
  }
}

/**
 * Closes connections that are in use but whose server has vanished without a reset, as after a network
 * failure. Without it, their statements would wait until TCP gives up after about 15 minutes, and keep
 * all connections of the pool occupied. A time limit can't tell them from statements that wait for a
 * lock, so the watch probes the server with another connection.
 */
export class ConnectionWatch {
  private readonly inUse = new Map<PoolClient, Silence>();
  private readonly idle = new Set<PoolClient>();
  private readonly probes = new Map<string, Promise<boolean>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    pool: Pool,
    private readonly times: ConnectionTimes,
  ) {
    pool.on('acquire', (client) => {
      this.idle.delete(client);
      const { bytesRead } = getSocket(client);
      this.inUse.set(client, { bytesRead, checks: 0, isProbing: false });
      this.timer ??= setInterval(() => this.check(), this.times.checkMs).unref();
    });
    pool.on('release', (_error, client) => {
      this.inUse.delete(client);
      this.idle.add(client);
    });
    pool.on('remove', (client) => this.idle.delete(client));
  }

  private check(): void {
    if (this.inUse.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    for (const [client, silence] of this.inUse) {
      const { bytesRead } = getSocket(client);
      if (bytesRead !== silence.bytesRead) Object.assign(silence, { bytesRead, checks: 0 });
      else silence.checks += 1;
      if (silence.checks > MAX_SILENT_CHECKS) this.close(client);
      else if (silence.checks >= CHECKS_BEFORE_PROBE) void this.closeIfUnreachable(client, silence);
    }
  }

  private async closeIfUnreachable(client: PoolClient, silence: Silence): Promise<void> {
    const { remoteAddress: host, remotePort: port } = getSocket(client);
    // A Unix domain socket has no address, and no network that can fail.
    if (silence.isProbing || host === undefined || port === undefined) return;
    silence.isProbing = true;
    const isReachable = await this.probe(host, port);
    silence.isProbing = false;
    if (isReachable || this.inUse.get(client) !== silence) return;
    if (getSocket(client).bytesRead === silence.bytesRead) this.close(client);
  }

  /** Probes a server once for all connections that wait for it. */
  private probe(host: string, port: number): Promise<boolean> {
    const address = `${host} ${String(port)}`;
    const running = this.probes.get(address);
    if (running !== undefined) return running;
    const probe = isServerReachable(host, port, this.times.probeTimeoutMs).finally(() =>
      this.probes.delete(address),
    );
    this.probes.set(address, probe);
    return probe;
  }

  /** Closes a silent connection, and idle ones, on which the next statements would wait, too. */
  private close(client: PoolClient): void {
    this.inUse.delete(client);
    for (const silent of [client, ...this.idle]) {
      getSocket(silent).destroy(new SilentConnectionError());
    }
    this.idle.clear();
  }
}

function getSocket(client: PoolClient): Socket {
  return client.connection.stream as Socket;
}

function isServerReachable(host: string, port: number, timeoutMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host, port }, () => socket.write(SSL_REQUEST));
  const timer = setTimeout(() => resolve(false), timeoutMs).unref();
  socket
    .on('data', () => resolve(true))
    .on('error', () => resolve(false))
    .on('close', () => resolve(false));
  return promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
}
