import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { Sleep } from '../ports';
import { type FleetError, isOutcomeUnknown, toFleetError } from './errors';

/** Time in milliseconds after which a new call without a response triggers a probe. */
const PROBE_AFTER_MS = 1_000;
/**
 * Time in milliseconds after which a service that has responded to neither the call nor the probe
 * counts as silent.
 */
const SILENT_AFTER_MS = 3_000;
/**
 * Intervals in milliseconds between probes while no messages arrive on open calls and streams. The
 * interval doubles until the next call or message, so that a window at rest with an open log costs little.
 */
const FIRST_HEARTBEAT_MS = 5_000;
const MAX_HEARTBEAT_MS = 20_000;
/** Time in milliseconds for reading responses that arrived while this computer was busy. */
const GRACE_MS = 100;

/** Error codes that can also occur without a response from the service. */
const CODES_WITHOUT_ANSWER: ReadonlySet<Code> = new Set([
  ...[Code.Unavailable, Code.Canceled, Code.DeadlineExceeded, Code.Aborted, Code.Unknown],
]);

/**
 * A change in how a service responds: it stopped responding, it responds again, or the connection
 * was lost.
 */
export type ResponseChange =
  | { readonly kind: 'silent' }
  | { readonly kind: 'answering' }
  | { readonly kind: 'lost'; readonly error: FleetError };

interface ResponseWatchOptions {
  readonly sleep: Sleep;
  /**
   * Makes an inexpensive call. An error from the service also counts as a response, except
   * `unavailable`.
   */
  readonly probe: (signal: AbortSignal) => Promise<unknown>;
}

/**
 * Watchdog for a connection: detects that a connected service doesn't respond, for example because
 * it's frozen. Calls can take a long time and streams can be idle, so the watchdog sends probes to
 * find out. Sends nothing while no call or stream is open.
 */
export class ResponseWatch extends Disposable {
  private readonly changed = this.register(new Emitter<ResponseChange>());
  readonly onDidChange = this.changed.event;
  private readonly ended = new AbortController();
  /** Number of unanswered calls and open streams. */
  private open = 0;
  /** Number of signs of life so far: responses, messages, and errors from the service. */
  private signs = 0;
  private hasNewCalls = false;
  private isWatching = false;
  private heartbeat: AbortController | undefined;

  constructor(private readonly options: ResponseWatchOptions) {
    super();
    this.register({ dispose: () => this.ended.abort() });
  }

  /** Must be the innermost interceptor, so that each attempt of a call counts separately. */
  readonly interceptor: Interceptor = (next) => async (request) => {
    const close = this.begin();
    try {
      const sent = request.stream ? { ...request, message: this.noting(request.message) } : request;
      const response = await next(sent);
      this.signs += 1;
      if (!response.stream) {
        close();
        return response;
      }
      request.signal.addEventListener('abort', close, { once: true });
      return { ...response, message: this.noting(response.message, close) };
    } catch (error) {
      if (!CODES_WITHOUT_ANSWER.has(ConnectError.from(error).code)) this.signs += 1;
      close();
      throw error;
    }
  };

  private begin(): () => void {
    let isOpen = true;
    this.open += 1;
    this.hasNewCalls = true;
    this.heartbeat?.abort();
    if (!this.isWatching) void this.watch();
    return () => {
      if (isOpen) this.open -= 1;
      isOpen = false;
    };
  }

  /**
   * Counts each received message, and each request for the next message to send, as a sign of life.
   */
  private async *noting<T>(
    messages: AsyncIterable<T>,
    close: () => void = () => undefined,
  ): AsyncGenerator<T> {
    try {
      for await (const message of messages) {
        this.signs += 1;
        yield message;
      }
    } finally {
      close();
    }
  }

  private async watch(): Promise<void> {
    this.isWatching = true;
    let heartbeatMs = FIRST_HEARTBEAT_MS;
    while (this.open > 0 && !this.isDisposed) {
      const before = this.signs;
      const hadNewCalls = this.takeNewCalls();
      if (hadNewCalls) {
        heartbeatMs = FIRST_HEARTBEAT_MS;
        await this.pause(PROBE_AFTER_MS);
      } else {
        await this.pauseForHeartbeat(heartbeatMs);
        const isQuiet = this.signs === before;
        heartbeatMs = isQuiet ? Math.min(heartbeatMs * 2, MAX_HEARTBEAT_MS) : FIRST_HEARTBEAT_MS;
      }
      const isDue = hadNewCalls || !this.hasNewCalls;
      if (isDue && this.open > 0 && this.signs === before) await this.probe();
    }
    this.isWatching = false;
  }

  private takeNewCalls(): boolean {
    const { hasNewCalls } = this;
    this.hasNewCalls = false;
    return hasNewCalls;
  }

  /** Waits for the heartbeat interval, or until a new call starts. */
  private async pauseForHeartbeat(milliseconds: number): Promise<void> {
    this.heartbeat = new AbortController();
    await this.pause(milliseconds, this.heartbeat.signal);
    this.heartbeat = undefined;
  }

  private async probe(): Promise<void> {
    const before = this.signs;
    const answered = new AbortController();
    const probing = this.send().finally(() => answered.abort());
    await this.pause(SILENT_AFTER_MS - PROBE_AFTER_MS - GRACE_MS, answered.signal);
    await this.pause(GRACE_MS, answered.signal);
    if (answered.signal.aborted || this.signs !== before || this.isDisposed) return;
    this.changed.fire({ kind: 'silent' });
    const error = await probing;
    this.changed.fire(error ? { kind: 'lost', error } : { kind: 'answering' });
  }

  /**
   * Sends a probe. Resolves with the error if the connection is lost before the service responds.
   */
  private async send(): Promise<FleetError | undefined> {
    try {
      await this.options.probe(this.ended.signal);
    } catch (cause) {
      const error = toFleetError(cause);
      if (isOutcomeUnknown(error)) return error;
    }
    this.signs += 1;
    return undefined;
  }

  /** Resolves after the given time, or as soon as the signal aborts. */
  private async pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const ended = this.ended.signal;
    if (ended.aborted || signal?.aborted) return;
    const both = signal ? AbortSignal.any([ended, signal]) : ended;
    await this.options.sleep(milliseconds, both).catch(() => undefined);
  }
}
