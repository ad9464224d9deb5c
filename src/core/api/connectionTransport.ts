import type { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt';
import type { Transport } from '@connectrpc/connect';
import { Disposable, type DisposableLike } from '../../base/disposable';
import { Emitter, type Event } from '../../base/emitter';
import { englishLocalizer } from '../../base/localizer';
import type { ApiKey, Connection, ReadApiKey } from '../model/connection';
import { toDisplayText } from '../model/displayText';
import type { ReadContent } from './contentStream';
import { FleetError, toFleetError } from './errors';
import type { toCallError } from './failedCall';
import { isReadCall, isReadOperation, ReadOnlyConnectionError, requireWritable } from './readOnly';
import type { ResponseChange } from './responseWatch';

/** Transport to a connection's service, with its token. */
export interface OpenedTransport extends DisposableLike {
  /** Adds the token, retries, and deadlines to calls. Its errors are not converted yet. */
  readonly transport: Transport;
  /**
   * Returns the token. Exchanges the API key for a token if there is none yet. Throws `FleetError`.
   */
  readonly getToken: () => Promise<string>;
  /** Clears the token because its API key has changed. */
  readonly clearToken: () => void;
  /**
   * Fires when the service stops responding or responds again; absent if responses aren't
   * monitored.
   */
  readonly onDidChangeResponse?: Event<ResponseChange> | undefined;
  /**
   * Reads content with plain HTTP requests instead of gRPC calls; absent if only gRPC calls are
   * supported.
   */
  readonly readContent?: ReadContent;
}

/** Opens a connection's transport. Sends nothing before the first call. */
export type OpenTransport = (
  connection: Connection,
  readKey: ReadApiKey,
) => OpenedTransport | Promise<OpenedTransport>;

/** Reads a connection's API key. Must not return a key that is stored for another URL. */
export type ReadConnectionKey = (connection: Connection) => Promise<ApiKey>;

/**
 * Resolves when calls can be sent over a connection. Starts the local fleet on first use. If this
 * rejects, calls fail with the same error.
 */
export type WhenReady = (connection: Connection) => Promise<void>;

/**
 * State of the connection after the last call: `idle` before the first call; `silent` while the
 * service is connected but doesn't respond.
 */
export type SessionState =
  | { readonly kind: 'idle' | 'connected' | 'silent' }
  | { readonly kind: 'failing'; readonly error: FleetError };

/**
 * Idempotency level of methods that aren't safe to repeat. A literal, because importing the enum
 * would load generated code.
 */
const UNKNOWN_IDEMPOTENCY: Idempotency.IDEMPOTENCY_UNKNOWN = 0;

interface Opened extends OpenedTransport {
  readonly baseUrl: string;
  readonly toCallError: typeof toCallError;
}

/**
 * Transport for a connection. Clients can use the same transport after the connection is reopened,
 * or after the user signs out and in again. Each call
 *
 * 1. Is rejected if the user has signed out, or if the connection is read-only and the call could
 *    change something;
 * 2. Waits until the service is ready, which starts the local fleet. Is then checked again;
 * 3. Opens the transport to the service if no earlier call has opened it. The first call also loads
 *    the gRPC code, which takes longer to load than all of our own code;
 * 4. Passes through the interceptors in `interceptedTransport.ts`: log, token, retries, deadline,
 *    and watchdog;
 * 5. Has its error converted to a `FleetError`;
 * 6. Changes the state of the connection.
 */
export class ConnectionTransport extends Disposable implements Transport {
  private readonly stateChanged = this.register(new Emitter<SessionState>());
  readonly onDidChangeState = this.stateChanged.event;
  private readonly recovered = this.register(new Emitter<void>());
  /** Fires when a call succeeds after the connection has failed. */
  readonly onDidRecover = this.recovered.event;
  private readonly silenceChanged = this.register(new Emitter<void>());
  /** Fires when the service stops responding or responds again. */
  readonly onDidChangeSilence = this.silenceChanged.event;
  /** The transport to the service; undefined until the first call. */
  private opened: Promise<Opened> | undefined;
  /** Aborts the calls that are sent over `opened` when the connection is closed. */
  private closing = new AbortController();
  private isSignedOut: boolean;
  /** Number of sign-outs, used to recognize calls that a sign-out has interrupted. */
  private signOuts = 0;
  private currentState: SessionState = { kind: 'idle' };
  /** True if the last completed call failed, even if the key has changed since. */
  private hasFailed = false;

  /** @param current undefined if the user isn't signed in yet. */
  constructor(
    private current: Connection | undefined,
    private readonly openTransport: OpenTransport,
    private readonly readKey: ReadConnectionKey,
    private readonly whenReady: WhenReady = () => Promise.resolve(),
    private readonly l10n = englishLocalizer,
  ) {
    super();
    this.isSignedOut = !current;
    this.register({ dispose: () => this.close() });
  }

  get isSignedIn(): boolean {
    return !this.isSignedOut && !this.isDisposed;
  }

  get state(): SessionState {
    return this.currentState;
  }

  readonly unary: Transport['unary'] = async (method, signal, ...call) => {
    const isRepeatable = method.idempotency !== UNKNOWN_IDEMPOTENCY;
    const isRead = isReadCall(method, call[2]);
    for (;;) {
      const { signOuts } = this;
      const { response, isClosed } = await this.send(
        isRead,
        ({ transport }, any) => transport.unary(method, any, ...call),
        (error, opened) => this.convert(error, opened, method.name, signal),
        signal,
        isRepeatable,
      );
      if (signOuts !== this.signOuts || !this.isSignedIn) throw this.signedOut();
      // The URL or the key has changed during the call. The response from the previous service is
      // discarded, unless the call might have changed something there.
      if (response && !(isClosed && isRepeatable)) return response;
    }
  };

  readonly stream: Transport['stream'] = async (method, signal, ...call) => {
    const convert = (error: unknown, opened: Opened): FleetError =>
      this.convert(error, opened, method.name, signal);
    const { response } = await this.send(
      isReadOperation(method),
      async (opened, any) => {
        const answer = await opened.transport.stream(method, any, ...call);
        const message = mapFailures(answer.message, (error) => convert(error, opened));
        return { ...answer, message };
      },
      convert,
      signal,
      false,
    );
    if (!response) throw this.signedOut();
    return response;
  };

  /**
   * Returns the bearer token for requests other than calls. Like a call, starts the local fleet if
   * necessary, and throws the same `FleetError`s.
   */
  async getToken(): Promise<string> {
    return (await this.open(await this.ready())).getToken();
  }

  /** Returns the bearer token without waiting until the service is ready. */
  async getTokenNow(): Promise<string> {
    return (await this.open(this.requireConnection())).getToken();
  }

  /**
   * Returns the content reader; undefined if content can be read only with calls. Content can be
   * stored on other hosts, so their responses don't affect the connection state.
   */
  async contentReader(): Promise<ReadContent | undefined> {
    return (await this.open(await this.ready())).readContent;
  }

  /**
   * Signs in, or applies changes to the connection. Reconnects if its URL is different.
   * @returns true if the URL was different before, even if the user was signed out in between.
   */
  use(connection: Connection): boolean {
    const moved = this.current !== undefined && connection.baseUrl !== this.current.baseUrl;
    this.current = connection;
    this.isSignedOut = false;
    if (moved) this.reopen();
    return moved;
  }

  /** Closes the connection. Rejects running and further calls with `unauthenticated`. */
  signOut(): void {
    this.isSignedOut = true;
    this.signOuts += 1;
    this.hasFailed = false;
    this.reopen();
  }

  /**
   * Closes the connection and clears the token. The next call reconnects. Call this after the API
   * key or the URL has changed.
   */
  reopen(): void {
    this.close();
    this.setState({ kind: 'idle' });
  }

  /**
   * Switches to a different API key without closing the connection. Doesn't affect running calls.
   * If a call's token is rejected, the call requests a token for the new key.
   * @returns true if data must be reloaded because the connection failed with the old key.
   */
  renewKey(): boolean {
    void this.opened?.then((opened) => opened.clearToken()).catch(() => undefined);
    if (this.currentState.kind !== 'failing') return false;
    this.setState({ kind: 'idle' });
    return true;
  }

  /**
   * Sends a call over the current connection.
   *
   * @param isRepeatable true to return no response, rather than an error, if the connection was
   *   closed during the call but the user is still signed in
   */
  private async send<T>(
    isRead: boolean,
    call: (opened: Opened, signal: AbortSignal) => Promise<T>,
    convert: (error: unknown, opened: Opened) => FleetError,
    signal: AbortSignal | undefined,
    isRepeatable: boolean,
  ): Promise<{ readonly response: T | undefined; readonly isClosed: boolean }> {
    const { signOuts } = this;
    let closed: AbortSignal | undefined;
    try {
      this.requireAllowed(isRead);
      const connection = await this.ready();
      // The connection might have become read-only while the service was starting.
      this.requireAllowed(isRead);
      closed = this.closing.signal;
      const any = AbortSignal.any([closed, ...(signal ? [signal] : [])]);
      const opened = await this.open(connection);
      const response = await call(opened, any).catch((error: unknown) => {
        throw convert(error, opened);
      });
      if (!closed.aborted) this.setState({ kind: 'connected' });
      return { response, isClosed: closed.aborted };
    } catch (error) {
      const isSignedIn = this.isSignedIn && signOuts === this.signOuts;
      if (!closed?.aborted || !isSignedIn) throw this.noteFailure(error, signOuts);
      // An error from the closed connection is irrelevant to the current connection.
      if (!isRepeatable || signal?.aborted) throw toFleetError(error);
      return { response: undefined, isClosed: true };
    }
  }

  /** Throws `ReadOnlyConnectionError` if a call could change something in a read-only connection. */
  private requireAllowed(isRead: boolean): void {
    if (!isRead) requireWritable(this.current, this.l10n);
  }

  private async ready(): Promise<Connection> {
    await this.whenReady(this.requireConnection());
    return this.requireConnection();
  }

  private open(connection: Connection): Promise<Opened> {
    if (this.opened) return this.opened;
    const opened = this.load(connection, (change) => {
      if (this.opened === opened) this.noteResponse(change);
    });
    this.opened = opened;
    return opened;
  }

  private async load(
    connection: Connection,
    onResponse: (change: ResponseChange) => void,
  ): Promise<Opened> {
    const closed = this.closing.signal;
    const readKey = async (): Promise<ApiKey> => {
      const key = await this.readKey(connection);
      // The key might already belong to the next connection.
      closed.throwIfAborted();
      return key;
    };
    const [transport, { toCallError: toError }] = await Promise.all([
      this.openTransport(connection, readKey),
      import('./failedCall'),
    ]);
    transport.onDidChangeResponse?.(onResponse);
    return { ...transport, baseUrl: connection.baseUrl, toCallError: toError };
  }

  private close(): void {
    const { opened, closing } = this;
    this.opened = undefined;
    this.closing = new AbortController();
    closing.abort();
    void opened?.then((transport) => transport.dispose()).catch(() => undefined);
  }

  private convert(
    error: unknown,
    opened: Opened,
    method: string,
    signal: AbortSignal | undefined,
  ): FleetError {
    const { baseUrl } = opened;
    const aborted = signal?.aborted ?? false;
    return opened.toCallError(error, { method, baseUrl, aborted, l10n: this.l10n });
  }

  private noteResponse(change: ResponseChange): void {
    if (change.kind === 'silent') this.setState({ kind: 'silent' });
    else if (change.kind === 'answering') this.setState({ kind: 'connected' });
    else if (this.currentState.kind === 'silent') this.noteFailure(change.error);
  }

  /**
   * Records only failures of the connection itself, because a rejected request shows that the
   * service is reachable.
   */
  private noteFailure(cause: unknown, signOuts = this.signOuts): FleetError {
    const error = this.toConnectionError(toFleetError(cause));
    if (error.kind === 'canceled') return error;
    // The call wasn't sent, so that the state of the connection is unknown.
    if (error instanceof ReadOnlyConnectionError) return error;
    // The sign-out closed the connection and caused the error, regardless of the error's kind.
    if (!this.isSignedIn || signOuts !== this.signOuts) return this.signedOut(error);
    const broken = error.kind === 'unavailable' || error.kind === 'unauthenticated';
    this.setState(broken ? { kind: 'failing', error } : { kind: 'connected' });
    return error;
  }

  /**
   * Replaces connection errors from the local fleet. Its URL is meaningless to users, who can
   * recover by starting the fleet.
   */
  private toConnectionError(error: FleetError): FleetError {
    const stopped =
      this.current?.kind === 'local' && error.kind === 'unavailable' && error.action === 'retry';
    if (!stopped) return error;
    const message = this.l10n.t("The local fleet isn't responding. Start it again.");
    return new FleetError('unavailable', message, { cause: error, action: 'startLocalFleet' });
  }

  private requireConnection(): Connection {
    if (!this.isSignedIn || !this.current) throw this.signedOut();
    return this.current;
  }

  private signedOut(cause?: FleetError): FleetError {
    const { l10n, current } = this;
    const message = current
      ? l10n.t(
          'You are signed out of "{0}". Sign in again to continue.',
          toDisplayText(current.label),
        )
      : l10n.t("You are not signed in to this item's connection. Sign in first.");
    return new FleetError('unauthenticated', message, { cause, action: 'signIn' });
  }

  private setState(state: SessionState): void {
    const { kind } = this.currentState;
    const same = state.kind === kind && kind !== 'failing';
    this.currentState = state;
    if (!same) this.stateChanged.fire(state);
    if ((kind === 'silent') !== (state.kind === 'silent')) this.silenceChanged.fire();
    if (state.kind === 'failing') this.hasFailed = true;
    if (state.kind !== 'connected' || !this.hasFailed) return;
    this.hasFailed = false;
    this.recovered.fire();
  }
}

async function* mapFailures<T>(
  messages: AsyncIterable<T>,
  failure: (error: unknown) => Error,
): AsyncGenerator<T> {
  try {
    yield* messages;
  } catch (error) {
    throw failure(error);
  }
}
