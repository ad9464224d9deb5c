import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import type { Connection } from '../../../../core/model/connection';
import type { ConnectionStore } from '../../../../core/sessions/connectionStore';
import { pickOne, confirm } from '../../../platform/prompts';

/** Removes a connection and its API key after a confirmation. */
export async function signOut(store: ConnectionStore): Promise<void> {
  const connection = await chooseConnection(store.connections);
  await confirm(
    vscode.l10n.t('Sign out of "{0}"?', connection.label),
    vscode.l10n.t(
      "This removes the API key from this computer for all windows. Open documents stay open, but you can't save them until you sign in again.",
    ),
    vscode.l10n.t('Sign Out'),
  );
  await store.signOut(connection.id);
}

async function chooseConnection(connections: readonly Connection[]): Promise<Connection> {
  const [first, ...others] = connections;
  if (!first) {
    throw new FleetError('invalid', vscode.l10n.t('You are not signed in to any connection.'), {
      action: 'signIn',
    });
  }
  if (others.length === 0) return first;
  const items = connections.map((connection) => ({
    label: connection.label,
    description: connection.baseUrl,
    connection,
  }));
  const title = vscode.l10n.t('Sign Out');
  const placeholder = vscode.l10n.t('Select the connection to sign out of');
  return (await pickOne(items, { title, placeholder })).connection;
}
