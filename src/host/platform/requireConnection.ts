import * as vscode from 'vscode';
import { FleetError } from '../../core/api/errors';
import type { Connection } from '../../core/model/connection';
import type { ConnectionId } from '../../core/model/ids';
import type { SessionProvider } from './sessionProvider';

/**
 * The connection a command works with: the one with an id, or the active one. Throws `unauthenticated`
 * with the way to sign in when there is none.
 */
export function requireConnection(sessions: SessionProvider, id?: ConnectionId): Connection {
  const connection = id === undefined ? sessions.active : sessions.connection(id);
  if (connection) return connection;
  throw new FleetError('unauthenticated', vscode.l10n.t('Sign in to a fleet cloud first.'), {
    action: 'signIn',
  });
}
