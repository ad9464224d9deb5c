import type { Transport } from '@connectrpc/connect';
import { Disposable, type DisposableLike } from '../../base/disposable';
import { Emitter, type Event } from '../../base/emitter';
import { englishLocalizer } from '../../base/localizer';
import {
  type Connection,
  type Credentials,
  type ReadApiKey,
  toConnectionId,
} from '../model/connection';
import type { ResponseChange } from '../api/responseWatch';
import type { ReadContent } from '../api/contentStream';
import { FleetError, toFleetError } from '../api/errors';
import { clientsOver } from '../api/fleetClients';
import { toDisplayText } from '../model/displayText';
import { FleetStores } from '../stores/fleetStores';
import type { Organization } from '../model/entities';

/** Transport to the service of a connection, with its token. */
export interface OpenedTransport extends DisposableLike {
  readonly transport: Transport;
  /**
   * Returns the token. Exchanges the API key for a token if there is none yet. Throws `FleetError`.
   */
  readonly getToken: () => Promise<string>;
  /** Clears the token because its API key has changed. */
  readonly forgetToken: () => void;
  /**
   * Fires when the service stops responding or responds again; absent if responses aren't
   * monitored.
   */
  readonly onDidChangeResponse?: Event<ResponseChange>;
  /** Reads content with requests other than calls; absent if only calls are supported. */
  readonly readContent?: ReadContent;
}

/** Opens the transport of a connection. Sends nothing before the first call. */
export type OpenTransport = (connection: Connection, readKey: ReadApiKey) => OpenedTransport;

/**
 * Resolves when calls of a connection can be sent. Starts the local fleet on first use. If this
 * rejects, calls fail with the same error.
 */
export type WhenReady = (connection: Connection) => Promise<void>;

/**
 * State of the session after the last call: `idle` before the first call; `silent` while the
 * service is connected but doesn't respond.
 */
export type SessionState =
  | { readonly kind: 'idle' | 'connected' | 'silent' }
  | { readonly kind: 'failing'; readonly error: FleetError };

/**
 * Session of a connection: its transport and stores, until the user signs out. After that,
 * remaining references to its stores can't make calls, because the API key was removed.
 */
export class FleetSession extends Disposable {
  readonly stores: FleetStores;
  private readonly switchable: SwitchableTransport;
  private readonly stateChanged = this.register(new Emitter<SessionState>());
  readonly onDidChangeState = this.stateChanged.event;
  private readonly recovered = this.register(new Emitter<void>());
  /** Fires when a call succeeds after the connection has failed. */
  readonly onDidRecover = this.recovered.event;
  private readonly silenceChanged = this.register(new Emitter<void>());
  /** Fires when the service stops responding or responds again. */
  readonly onDidChangeSilence = this.silenceChanged.event;
  private opened: OpenedTransport;
  private currentState: SessionState = { kind: 'idle' };
  /** True if the last completed call failed, even if the key has changed since. */
  private hasFailed = false;

  constructor(
    private current: Connection,
    private readonly open: OpenTransport,
    private readonly readKey: ReadApiKey,
    private readonly whenReady: WhenReady = () => Promise.resolve(),
    private readonly l10n = englishLocalizer,
  ) {
    super();
    this.opened = this.register(this.openWatched());
    this.switchable = new SwitchableTransport(this.opened.transport);
    this.stores = this.register(
      new FleetStores(clientsOver(this.watched(), l10n), () => this.contentReader(), l10n),
    );
  }

  get connection(): Connection {
    return this.current;
  }

  get state(): SessionState {
    return this.currentState;
  }

  /**
   * Returns the bearer token for requests other than calls. Throws the same `FleetError`s as calls.
   */
  async getToken(): Promise<string> {
    this.requireSignedIn();
    return this.opened.getToken();
  }

  /** Applies changes to the connection. If its URL is different, reloads everything. */
  use(connection: Connection): void {
    const moved = connection.baseUrl !== this.current.baseUrl;
    this.current = connection;
    if (moved) this.reopen();
  }

  /**
   * Closes the connection, clears the token, and reconnects. Call this after the API key or the URL
   * has changed.
   */
  reopen(): void {
    this.release(this.opened);
    this.opened = this.register(this.openWatched());
    this.switchable.use(this.opened.transport);
    this.setState({ kind: 'idle' });
    this.stores.refresh();
  }

  /**
   * Switches to a different API key without closing the connection. Doesn't affect running calls.
   * If the token of a call is rejected, the call requests a token for the new key. Reloads data if
   * the connection failed because of the old key.
   */
  renew(): void {
    this.opened.forgetToken();
    if (this.currentState.kind !== 'failing') return;
    this.setState({ kind: 'idle' });
    this.stores.refresh();
  }

  /** Returns the content reader. Responses from other hosts don't affect the connection state. */
  private contentReader(): ReadContent | undefined {
    const { readContent } = this.opened;
    return (
      readContent &&
      (async (...request) => {
        await this.ready();
        return readContent(...request);
      })
    );
  }

  private openWatched(): OpenedTransport {
    const opened = this.open(this.current, this.readKey);
    opened.onDidChangeResponse?.((change) => this.noteResponse(change));
    return opened;
  }

  private noteResponse(change: ResponseChange): void {
    if (change.kind === 'silent') this.setState({ kind: 'silent' });
    else if (change.kind === 'answering') this.setState({ kind: 'connected' });
    else if (this.currentState.kind === 'silent') this.noteFailure(change.error);
  }

  private watched(): Transport {
    const { switchable } = this;
    const watch = async <T>(call: () => Promise<T>): Promise<T> => {
      try {
        await this.ready();
        const answer = await call();
        this.setState({ kind: 'connected' });
        return answer;
      } catch (error) {
        throw this.noteFailure(error);
      }
    };
    return {
      unary: (...call) => watch(() => switchable.unary(...call)),
      stream: (...call) => watch(() => switchable.stream(...call)),
    };
  }

  /**
   * Records only failures of the connection itself, because a rejected request shows that the
   * service is reachable.
   */
  private noteFailure(cause: unknown): FleetError {
    const error = this.toConnectionError(toFleetError(cause));
    if (error.kind === 'canceled') return error;
    // The sign-out closed the connection and caused the error, regardless of the error's kind.
    if (this.isDisposed) return this.signedOut(error);
    const broken = error.kind === 'unavailable' || error.kind === 'unauthenticated';
    this.setState(broken ? { kind: 'failing', error } : { kind: 'connected' });
    return error;
  }

  /**
   * Replaces connection errors of the local fleet. Its URL is meaningless to users, and the
   * recovery action is to start the fleet.
   */
  private toConnectionError(error: FleetError): FleetError {
    const stopped =
      this.current.kind === 'local' && error.kind === 'unavailable' && error.action === 'retry';
    if (!stopped) return error;
    const message = this.l10n.t("The local fleet isn't responding. Restart it.");
    return new FleetError('unavailable', message, { cause: error, action: 'startLocalFleet' });
  }

  private async ready(): Promise<void> {
    this.requireSignedIn();
    await this.whenReady(this.current);
    this.requireSignedIn();
  }

  private requireSignedIn(): void {
    if (this.isDisposed) throw this.signedOut();
  }

  private signedOut(cause?: FleetError): FleetError {
    const label = toDisplayText(this.current.label);
    const message = this.l10n.t('You are signed out of "{0}". Sign in again to continue.', label);
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

/** Transport that remains the same for clients when the service moves to a different URL. */
class SwitchableTransport implements Transport {
  constructor(private current: Transport) {}

  use(transport: Transport): void {
    this.current = transport;
  }

  unary: Transport['unary'] = (...call) => this.current.unary(...call);

  stream: Transport['stream'] = (...call) => this.current.stream(...call);
}

/**
 * Verifies a URL and an API key before anything is stored: authenticates and lists the
 * organizations. Throws a `FleetError` that identifies the cause: URL, certificate, protocol, or
 * key.
 */
export async function verifyCredentials(
  { baseUrl, keyId, key }: Credentials,
  open: OpenTransport,
  signal?: AbortSignal,
): Promise<readonly Organization[]> {
  const connection = {
    id: toConnectionId(keyId),
    label: '',
    baseUrl,
    keyId,
    kind: 'cloud',
  } as const;
  const session = new FleetSession(connection, open, () =>
    Promise.resolve({ id: keyId, secret: key }),
  );
  try {
    return await session.stores.organizations.list({ signal });
  } finally {
    session.dispose();
  }
}

/**
 * Formats a label such as `Acme Robotics · fleet.example.com`, including the number of additional
 * organizations.
 */
export function connectionLabel(baseUrl: string, organizations: readonly Organization[]): string {
  const { host } = new URL(baseUrl);
  const [first] = organizations;
  if (!first) return host;
  const more = organizations.length > 1 ? ` +${organizations.length - 1}` : '';
  return `${first.name}${more} · ${host}`;
}
