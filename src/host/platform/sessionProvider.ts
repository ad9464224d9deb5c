import * as vscode from 'vscode';
import type { Event } from '../../base/emitter';
import type { Connection } from '../../core/model/connection';
import type { ConnectionId } from '../../core/model/ids';
import type { FleetStores } from '../../core/stores/fleetStores';
import { FleetError } from '../../core/api/errors';

/** Access to connections, for other features. */
export interface SessionProvider {
  /** Active connection of this window. */
  readonly active: Connection | undefined;
  readonly connections: readonly Connection[];
  /** Fires when the active connection was changed or replaced. */
  readonly onDidChangeActive: Event<Connection | undefined>;
  /** Fires when connections were added, changed, or removed. */
  readonly onDidChangeConnections: Event<void>;
  /** Fires when a connection's service responds again. */
  readonly onDidRecover: Event<ConnectionId>;
  /** Fires when a connection's service stops responding or responds again. */
  readonly onDidChangeSilence: Event<ConnectionId>;
  /**
   * Fires when a connection's URL has changed. All displayed data for the connection comes from
   * another service and must be cleared.
   */
  readonly onDidMove: Event<ConnectionId>;

  connection(id: ConnectionId): Connection | undefined;
  /**
   * Returns true if a connection's service accepts network connections but doesn't respond, for
   * example because it is frozen.
   */
  isSilent(id: ConnectionId): boolean;
  /**
   * Returns a connection's stores. Throws `unauthenticated` (action `signIn`) if the connection is
   * signed out.
   */
  stores(id: ConnectionId): FleetStores;
  /**
   * Like `stores`, but also returns the stores for a connection that is signed out. For each
   * connection, the result is the same object until the window is closed, so that views can
   * subscribe to it once.
   */
  lastingStores(id: ConnectionId): FleetStores;
}

/**
 * Returns the connection for a command: the connection with the given ID, or the active connection.
 * Throws `unauthenticated` with the `signIn` action if there is none.
 */
export function requireConnection(sessions: SessionProvider, id?: ConnectionId): Connection {
  const connection = id === undefined ? sessions.active : sessions.connection(id);
  if (connection) return connection;
  throw new FleetError('unauthenticated', vscode.l10n.t('Sign in to a fleet service first.'), {
    action: 'signIn',
  });
}
