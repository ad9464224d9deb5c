import type { Event } from '../../base/emitter';
import type { Connection } from '../../core/model/connection';
import type { ConnectionId } from '../../core/model/ids';
import type { FleetStores } from '../../core/stores/fleetStores';

/** Access to connections, for other features. */
export interface SessionProvider {
  /** Active connection of this window. */
  readonly active: Connection | undefined;
  readonly connections: readonly Connection[];
  /** Fires when the active connection was changed or replaced. */
  readonly onDidChangeActive: Event<Connection | undefined>;
  /** Fires when connections were added, changed, or removed. */
  readonly onDidChangeConnections: Event<void>;
  /** Fires when the service of a connection responds again. */
  readonly onDidRecover: Event<ConnectionId>;
  /** Fires when the service of a connection stops responding or responds again. */
  readonly onDidChangeSilence: Event<ConnectionId>;

  connection(id: ConnectionId): Connection | undefined;
  /**
   * Returns true if the service of a connection accepts connections but doesn't respond, for
   * example because it is frozen.
   */
  isSilent(id: ConnectionId): boolean;
  /**
   * Returns the stores of a connection. This is the same object until the connection is signed out,
   * even if the connection's URL changes. Throws `unauthenticated` (action `signIn`) for an unknown
   * connection.
   */
  stores(id: ConnectionId): FleetStores;
}
