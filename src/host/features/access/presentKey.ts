import * as vscode from 'vscode';
import type { ApiKey } from '../../../core/api/apiKey';
import { toDisplayText } from '../../../core/model/toDisplayText';
import { apiKeyId, type ConnectionId } from '../../../core/model/ids';
import type { ApiKeyTools } from './apiKeyTools';
import { showKeyOnce } from './showKeyOnce';

/**
 * Shows a new API key once. Offers to sign in to this window with the key, unless a connection
 * already uses it.
 * @param name name of the key, or its ID if the service generated the name.
 */
export async function presentKey(
  { sessions, connections }: ApiKeyTools,
  by: ConnectionId,
  { title, name, key }: { readonly title: string; readonly name: string; readonly key: ApiKey },
): Promise<void> {
  const connection = sessions.connection(by);
  if (!connection || connections.connectionWithKey(by, apiKeyId(key.id))) {
    await showKeyOnce({ title, key });
    return;
  }
  const { baseUrl, kind } = connection;
  const detail =
    kind === 'local'
      ? vscode.l10n.t('Signs in with this key instead, until the local fleet is restarted')
      : vscode.l10n.t('Signs in with this key instead');
  const label = `${toDisplayText(name)} · ${new URL(baseUrl).host}`;
  const request = { label, baseUrl, keyId: key.id, key: key.secret, kind: 'cloud' } as const;
  const use = { detail, run: () => connections.signIn(request) };
  await showKeyOnce({ title, key, use });
}
