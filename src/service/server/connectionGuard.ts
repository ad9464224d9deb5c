import { AsyncLocalStorage } from 'node:async_hooks';
import { constants, type ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { MAX_OPEN_CALLS, type PortListener } from './portListener';
import type { Logger } from '../../base/logger';
import { toClientNetwork } from '../clientNetwork';
import type { TrustedProxies } from './trustedProxies';

export interface ConnectionLimits {
  readonly total: number;
  /**
   * Maximum number of connections per IPv4 address or IPv6 network. Many machines behind a proxy or
   * router can share an address.
   */
  readonly perAddress: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = { total: 10_000, perAddress: 2_000 };

/**
 * Maximum number of settings frames. Clients send one at the start, and another whenever they
 * change a window or a limit.
 */
const MAX_SETTINGS_FRAMES = 100;
const SETTINGS_PERIOD_MS = 10_000;

/**
 * Time in milliseconds during which a reset counts as early. The limit on open calls covers calls
 * that stay open longer.
 */
const EARLY_RESET_MS = 1_000;
/** Rate that is allowed in addition to a burst as large as the limit on open calls. */
const MAX_EARLY_RESETS_PER_SECOND = 100;
const MS_PER_SECOND = 1_000;

/** Tracks the connections on a port and closes excessive or harmful connections. */
export class ConnectionGuard {
  readonly sockets = new Set<Socket>();
  readonly sessions = new Set<ServerHttp2Session>();
  private readonly countByAddress = new Map<string, number>();

  /**
   * @param firstRequestTimeoutMs maximum time until the first request on an HTTP/2 connection
   * @param proxies addresses whose connections are only limited in total, because each of them
   *   carries the requests of many clients
   */
  constructor(
    port: PortListener,
    private readonly limits: ConnectionLimits,
    private readonly firstRequestTimeoutMs: number,
    private readonly countRejection: CountRejection,
    private readonly proxies: TrustedProxies,
  ) {
    port.server.on('connection', (socket) => this.admit(socket));
    port.http2.on('session', (session) => this.watch(session));
  }

  private admit(socket: Socket): void {
    const address = toClientNetwork(socket.remoteAddress ?? '');
    const count = this.countByAddress.get(address) ?? 0;
    const isTooMany = this.sockets.size >= this.limits.total;
    const isProxy = this.proxies.includes(socket.remoteAddress);
    if (isTooMany || (count >= this.limits.perAddress && !isProxy)) {
      this.countRejection(isTooMany ? 'tooManyConnections' : 'tooManyConnectionsOfAddress');
      socket.destroy();
      return;
    }
    this.sockets.add(socket);
    this.countByAddress.set(address, count + 1);
    socket.once('close', () => {
      this.sockets.delete(socket);
      const rest = (this.countByAddress.get(address) ?? 1) - 1;
      if (rest > 0) this.countByAddress.set(address, rest);
      else this.countByAddress.delete(address);
    });
  }

  private watch(session: ServerHttp2Session): void {
    this.sessions.add(session);
    const noRequest = setTimeout(() => {
      this.countRejection('noRequest');
      session.close();
    }, this.firstRequestTimeoutMs);
    noRequest.unref();
    session.once('stream', () => clearTimeout(noRequest));
    session.once('close', () => {
      clearTimeout(noRequest);
      this.sessions.delete(session);
    });
    this.limitSettings(session);
    this.limitResets(session);
  }

  /**
   * Closes a connection that repeatedly sends settings frames, each of which must be acknowledged.
   */
  private limitSettings(session: ServerHttp2Session): void {
    let count = 0;
    let periodEndsAt = 0;
    session.on('remoteSettings', () => {
      const now = performance.now();
      if (now > periodEndsAt) {
        periodEndsAt = now + SETTINGS_PERIOD_MS;
        count = 0;
      }
      count += 1;
      if (count > MAX_SETTINGS_FRAMES) this.reject(session, 'settingsFlood');
    });
  }

  /**
   * Closes a connection that repeatedly starts calls and resets them immediately, because these
   * calls don't count as open calls (CVE-2023-44487). Doesn't limit the cancellation of calls that
   * have been open for some time, for example when a client closes a panel with many log tails.
   * Also counts calls that the service resets because of malformed frames (CVE-2025-8671).
   */
  private limitResets(session: ServerHttp2Session): void {
    let allowance = MAX_OPEN_CALLS;
    let countedAt = performance.now();
    session.on('stream', (stream) => {
      const startedAt = performance.now();
      stream.once('close', () => {
        const now = performance.now();
        if (stream.headersSent || now - startedAt > EARLY_RESET_MS) return;
        const regained = ((now - countedAt) / MS_PER_SECOND) * MAX_EARLY_RESETS_PER_SECOND;
        allowance = Math.min(MAX_OPEN_CALLS, allowance + regained) - 1;
        countedAt = now;
        if (allowance < 0) this.reject(session, 'resetFlood');
      });
    });
  }

  private reject(session: ServerHttp2Session, reason: RejectionReason): void {
    if (session.destroyed) return;
    this.countRejection(reason);
    session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    session.destroy();
  }
}

/** Reason why the server rejected a request or connection. */
export type RejectionReason =
  | 'foreignHost'
  | 'foreignOrigin'
  | 'malformedHost'
  | 'unauthenticated'
  | 'unknownMethod'
  | 'tooLarge'
  | 'tooManyValues'
  | 'noMemory'
  | 'slowBody'
  | 'noRequest'
  | 'settingsFlood'
  | 'resetFlood'
  | 'tooManyConnections'
  | 'tooManyConnectionsOfAddress'
  | 'tooManyCallsOfAddress'
  | 'tooManyCallsOfKey';

export type CountRejection = (reason: RejectionReason) => void;

const BURST_MS = 10_000;

/**
 * Counts rejections, and logs each burst on one line with a count per reason. Never logs the
 * content of requests.
 */
export class RejectionLog {
  private counts: Partial<Record<RejectionReason, number>> = {};
  private timer: NodeJS.Timeout | undefined;
  /** Runs a function outside of the call that was rejected, whose ID the burst's line must not have. */
  private readonly runOutside = AsyncLocalStorage.snapshot();

  /** @param burstMs time after a rejection during which later rejections are collected */
  constructor(
    private readonly logger: Logger,
    private readonly burstMs = BURST_MS,
  ) {}

  readonly count: CountRejection = (reason) => {
    this.counts[reason] = (this.counts[reason] ?? 0) + 1;
    this.timer ??= this.runOutside(() => setTimeout(() => this.flush(), this.burstMs).unref());
  };

  /** Logs the collected rejections. */
  flush(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.logger.warn('rejected requests', this.counts);
    this.counts = {};
  }
}
