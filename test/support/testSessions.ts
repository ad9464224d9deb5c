import { Emitter } from '../../src/base/emitter';
import { FleetError } from '../../src/core/api/errors';
import { type Connection, toConnectionId } from '../../src/core/model/connection';
import type { ConnectionId } from '../../src/core/model/ids';
import { FleetSession } from '../../src/core/sessions/fleetSession';
import type { FleetStores } from '../../src/core/stores/fleetStores';
import type { SessionProvider } from '../../src/host/platform/sessionProvider';
import type { MemoryFleet } from './memoryFleet';

/**
 * A session provider with one connection to an in-memory fleet. Tests can activate and deactivate
 * the connection, sign it out, and sign it in again. VS Code can still have documents of other
 * tests open: no one is signed in to their connections.
 */
export class TestSessions implements SessionProvider {
  connectionToFleet: Connection;
  readonly session: FleetSession;
  active: Connection | undefined;
  private isSignedIn = true;
  private readonly signedOut = new Map<ConnectionId, FleetSession>();
  private readonly activeChanged = new Emitter<Connection | undefined>();
  private readonly connectionsChanged = new Emitter<void>();
  private readonly recovered = new Emitter<ConnectionId>();
  readonly onDidChangeActive = this.activeChanged.event;
  readonly onDidChangeConnections = this.connectionsChanged.event;
  readonly onDidRecover = this.recovered.event;
  private readonly silenceChanged = new Emitter<ConnectionId>();
  readonly onDidChangeSilence = this.silenceChanged.event;
  private readonly moved = new Emitter<ConnectionId>();
  readonly onDidMove = this.moved.event;

  constructor(private readonly fleet: MemoryFleet) {
    this.connectionToFleet = {
      id: toConnectionId(fleet.key.id),
      label: 'Test',
      baseUrl: fleet.baseUrl,
      keyId: fleet.key.id,
      kind: 'cloud',
    };
    this.session = this.newSession();
    this.active = this.connectionToFleet;
  }

  get connections(): readonly Connection[] {
    return this.isSignedIn ? [this.connectionToFleet] : [];
  }

  connection(id: ConnectionId): Connection | undefined {
    return this.connections.find((connection) => connection.id === id);
  }

  isSilent(): boolean {
    return this.session.state.kind === 'silent';
  }

  stores(id = this.connectionToFleet.id): FleetStores {
    if (!this.connection(id)) throw new FleetError('unauthenticated', 'You are signed out.');
    return this.session.stores;
  }

  lastingStores(id = this.connectionToFleet.id): FleetStores {
    if (id === this.connectionToFleet.id) return this.session.stores;
    const known = this.signedOut.get(id);
    if (known) return known.stores;
    const session = new FleetSession(undefined, this.fleet.open, () =>
      Promise.reject(new FleetError('unauthenticated', 'You are signed out.')),
    );
    this.signedOut.set(id, session);
    return session.stores;
  }

  signOut(): void {
    this.isSignedIn = false;
    this.session.signOut();
    this.connectionsChanged.fire();
  }

  signIn(): void {
    this.isSignedIn = true;
    this.session.use(this.connectionToFleet);
    this.connectionsChanged.fire();
  }

  /** Changes the URL of the connection. */
  move(baseUrl: string): void {
    this.connectionToFleet = { ...this.connectionToFleet, baseUrl };
    this.session.use(this.connectionToFleet);
    this.connectionsChanged.fire();
  }

  /** Makes the connection read-only, or allows changes. */
  setReadOnly(readOnly: boolean): void {
    this.connectionToFleet = {
      ...this.connectionToFleet,
      readOnly: readOnly ? 'chosen' : undefined,
    };
    this.session.use(this.connectionToFleet);
    this.connectionsChanged.fire();
    if (this.active) this.activate(true);
  }

  /** Makes the fleet the local fleet of this computer. */
  makeLocal(): void {
    this.connectionToFleet = { ...this.connectionToFleet, kind: 'local' };
  }

  activate(active: boolean): void {
    this.active = active ? this.connectionToFleet : undefined;
    this.activeChanged.fire(this.active);
  }

  dispose(): void {
    this.session.dispose();
    this.signedOut.forEach((session) => session.dispose());
  }

  private newSession(): FleetSession {
    const { fleet, connectionToFleet } = this;
    const session = new FleetSession(connectionToFleet, fleet.open, () =>
      Promise.resolve(fleet.key),
    );
    session.stores.onDidMove(() => this.moved.fire(connectionToFleet.id));
    session.onDidRecover(() => this.recovered.fire(connectionToFleet.id));
    session.onDidChangeSilence(() => this.silenceChanged.fire(connectionToFleet.id));
    return session;
  }
}
