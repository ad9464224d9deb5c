import type { Transport } from '@connectrpc/connect';
import { Disposable, type DisposableLike } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { ReadApiKey } from '../api/apiKey';
import { FleetError } from '../api/errors';
import { createFleetClients } from '../api/fleetClients';
import type { Connection } from '../model/connection';
import { FleetStores } from '../stores/fleetStores';
import { SwitchableTransport } from './switchableTransport';

/** A transport to the service of a connection, and the token it has got by now. */
export interface OpenedTransport extends DisposableLike {
  readonly transport: Transport;
  readonly accessToken: () => string | undefined;
}

/** Opens the wire of a connection; nothing is sent before the first call. */
export type OpenTransport = (connection: Connection, readKey: ReadApiKey) => OpenedTransport;

/** How the last call went: `idle` before the first one. */
export type SessionState =
  | { readonly kind: 'idle' | 'connected' }
  | { readonly kind: 'failing'; readonly error: FleetError };

/** One connection at work: its transport and stores, alive until the sign-out. */
export class FleetSession extends Disposable {
  readonly stores: FleetStores;
  private readonly switchable: SwitchableTransport;
  private readonly stateChanged = this.register(new Emitter<SessionState>());
  readonly onDidChangeState = this.stateChanged.event;
  private opened: OpenedTransport;
  private currentState: SessionState = { kind: 'idle' };

  constructor(
    private current: Connection,
    private readonly open: OpenTransport,
    private readonly readKey: ReadApiKey,
  ) {
    super();
    this.opened = this.register(open(current, readKey));
    this.switchable = new SwitchableTransport(this.opened.transport);
    this.stores = this.register(new FleetStores(createFleetClients(this.watched())));
  }

  get connection(): Connection {
    return this.current;
  }

  get state(): SessionState {
    return this.currentState;
  }

  get accessToken(): string | undefined {
    return this.opened.accessToken();
  }

  /** Takes over a changed connection; when its address is another one, everything is read again. */
  use(connection: Connection): void {
    const moved = connection.baseUrl !== this.current.baseUrl;
    this.current = connection;
    if (moved) this.reopen();
  }

  /** Drops connection and token and starts anew, after the key or the address has changed. */
  reopen(): void {
    this.release(this.opened);
    this.opened = this.register(this.open(this.current, this.readKey));
    this.switchable.use(this.opened.transport);
    this.setState({ kind: 'idle' });
    this.stores.refresh();
  }

  private watched(): Transport {
    const { switchable } = this;
    const watch = <T>(call: Promise<T>): Promise<T> => {
      call.then(
        () => this.setState({ kind: 'connected' }),
        (error: unknown) => this.noteFailure(error),
      );
      return call;
    };
    return {
      unary: (...call) => watch(switchable.unary(...call)),
      stream: (...call) => watch(switchable.stream(...call)),
    };
  }

  /** Only failures of the connection itself: a refused request says that the service is there. */
  private noteFailure(error: unknown): void {
    if (!(error instanceof FleetError) || error.kind === 'cancelled') return;
    const broken = error.kind === 'unavailable' || error.kind === 'unauthenticated';
    this.setState(broken ? { kind: 'failing', error } : { kind: 'connected' });
  }

  private setState(state: SessionState): void {
    const same = state.kind === this.currentState.kind && state.kind !== 'failing';
    this.currentState = state;
    if (!same) this.stateChanged.fire(state);
  }
}
