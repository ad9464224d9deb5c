import type { Transport } from '@connectrpc/connect';
import { Disposable, type DisposableLike } from '../../base/disposable';
import { Emitter, type Event } from '../../base/emitter';
import type { ReadApiKey } from '../api/apiKey';
import type { ResponseChange } from '../api/responseWatch';
import type { ReadContent } from '../api/contentStream';
import { FleetError, toFleetError } from '../api/errors';
import { clientsOver } from '../api/fleetClients';
import type { Connection } from '../model/connection';
import { displayText } from '../model/displayText';
import { FleetStores } from '../stores/fleetStores';
import { SwitchableTransport } from './switchableTransport';

/** A transport to the service of a connection, and the token it works with. */
export interface OpenedTransport extends DisposableLike {
  readonly transport: Transport;
  /** Exchanges the key for a token unless that has happened already. Throws `FleetError`. */
  readonly getToken: () => Promise<string>;
  /** Forgets the token, because its key has changed. */
  readonly forgetToken: () => void;
  /** The service stopped answering, or answers again; absent where nothing watches that. */
  readonly onDidChangeResponse?: Event<ResponseChange>;
  /** Reads contents outside of calls; absent where there are calls alone. */
  readonly readContent?: ReadContent;
}

/** Opens the wire of a connection; nothing is sent before the first call. */
export type OpenTransport = (connection: Connection, readKey: ReadApiKey) => OpenedTransport;

/**
 * Resolves when calls of a connection may go out. The local fleet is started here, by its first use;
 * what it rejects with is what the call fails with.
 */
export type WhenReady = (connection: Connection) => Promise<void>;

/**
 * How the last call went: `idle` before the first one, `silent` while the service is there and does not
 * answer.
 */
export type SessionState =
  | { readonly kind: 'idle' | 'connected' | 'silent' }
  | { readonly kind: 'failing'; readonly error: FleetError };

/**
 * One connection at work: its transport and stores, alive until the sign-out. Anyone who still holds its stores
 * then calls nothing any more: the key is forgotten.
 */
export class FleetSession extends Disposable {
  readonly stores: FleetStores;
  private readonly switchable: SwitchableTransport;
  private readonly stateChanged = this.register(new Emitter<SessionState>());
  readonly onDidChangeState = this.stateChanged.event;
  private readonly recovered = this.register(new Emitter<void>());
  /** A call is answered again after some that were not. */
  readonly onDidRecover = this.recovered.event;
  private readonly silenceChanged = this.register(new Emitter<void>());
  /** The service became silent, or is silent no more. */
  readonly onDidChangeSilence = this.silenceChanged.event;
  private opened: OpenedTransport;
  private currentState: SessionState = { kind: 'idle' };
  /** The last call that was answered or failed has failed, also when another key came since. */
  private hasFailed = false;

  constructor(
    private current: Connection,
    private readonly open: OpenTransport,
    private readonly readKey: ReadApiKey,
    private readonly whenReady: WhenReady = () => Promise.resolve(),
  ) {
    super();
    this.opened = this.register(this.openWatched());
    this.switchable = new SwitchableTransport(this.opened.transport);
    this.stores = this.register(
      new FleetStores(clientsOver(this.watched()), () => this.contentReader()),
    );
  }

  get connection(): Connection {
    return this.current;
  }

  get state(): SessionState {
    return this.currentState;
  }

  /** The bearer token, for what is not a call. Throws `FleetError` like a call. */
  async getToken(): Promise<string> {
    this.requireSignedIn();
    return this.opened.getToken();
  }

  /** Takes over a changed connection; when its address is another one, everything is read again. */
  use(connection: Connection): void {
    const moved = connection.baseUrl !== this.current.baseUrl;
    this.current = connection;
    if (moved) this.reopen();
  }

  /** Drops connection and token and starts over, after the key or the address has changed. */
  reopen(): void {
    this.release(this.opened);
    this.opened = this.register(this.openWatched());
    this.switchable.use(this.opened.transport);
    this.setState({ kind: 'idle' });
    this.stores.refresh();
  }

  /**
   * Goes on with another key on the same connection. What runs is not disturbed: a call whose token
   * is refused asks for one of the new key. What failed for want of a key is read again.
   */
  renew(): void {
    this.opened.forgetToken();
    if (this.currentState.kind !== 'failing') return;
    this.setState({ kind: 'idle' });
    this.stores.refresh();
  }

  /** What other hosts answer says nothing about the connection: its state stays as it is. */
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

  /** Only failures of the connection itself: a refused request says that the service is there. */
  private noteFailure(cause: unknown): FleetError {
    const error = this.inTermsOfConnection(toFleetError(cause));
    if (error.kind === 'canceled') return error;
    // The connection was closed by the sign-out, whatever else it looks like.
    if (this.isDisposed) return this.signedOut(error);
    const broken = error.kind === 'unavailable' || error.kind === 'unauthenticated';
    this.setState(broken ? { kind: 'failing', error } : { kind: 'connected' });
    return error;
  }

  /** The address of the local fleet means nothing to a person: what helps is to start it. */
  private inTermsOfConnection(error: FleetError): FleetError {
    const stopped =
      this.current.kind === 'local' && error.kind === 'unavailable' && error.action === 'retry';
    if (!stopped) return error;
    const message = "The local fleet isn't responding. Restart it.";
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
    const label = displayText(this.current.label);
    const message = `You are signed out of "${label}". Sign in again to continue.`;
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
