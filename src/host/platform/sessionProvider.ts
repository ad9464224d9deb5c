import type { Event } from '../../base/emitter';
import type { Connection } from '../../core/model/connection';
import type { ConnectionId } from '../../core/model/ids';
import type { FleetStores } from '../../core/stores/fleetStores';

/** What other features know of connections. */
export interface SessionProvider {
  /** The connection this window works with. */
  readonly active: Connection | undefined;
  readonly connections: readonly Connection[];
  /** The active connection changed, in itself or to another one. */
  readonly onDidChangeActive: Event<Connection | undefined>;
  /** Connections were added, changed or removed. */
  readonly onDidChangeConnections: Event<void>;
  /** The service of a connection answers again after it did not. */
  readonly onDidRecover: Event<ConnectionId>;
  /** The service of a connection became silent, or is silent no more. */
  readonly onDidChangeSilence: Event<ConnectionId>;

  connection(id: ConnectionId): Connection | undefined;
  /** Whether the service of a connection is there and does not answer, such as one that is frozen. */
  isSilent(id: ConnectionId): boolean;
  /**
   * The stores of a connection, the same object until its sign-out, also when its address changes.
   * Throws `unauthenticated` (action `signIn`) for a connection that is not known here.
   */
  stores(id: ConnectionId): FleetStores;
}
