import * as vscode from 'vscode';
import { FleetError } from '../../core/api/errors';
import type { Connection } from '../../core/model/connection';
import type { ConnectionId } from '../../core/model/ids';
import type { SessionProvider } from './sessionProvider';

/**
 * Returns the connection for a command: the connection with the given ID, or the active connection.
 * Throws `unauthenticated` with the `signIn` action if there is none.
 */
export function requireConnection(sessions: SessionProvider, id?: ConnectionId): Connection {
  const connection = id === undefined ? sessions.active : sessions.connection(id);
  if (connection) return connection;
  throw new FleetError('unauthenticated', vscode.l10n.t('Sign in to a fleet cloud first.'), {
    action: 'signIn',
  });
}
