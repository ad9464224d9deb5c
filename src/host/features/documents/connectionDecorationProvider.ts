import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { connectionBadges } from '../../../core/model/connectionBadges';
import { toDisplayText } from '../../../core/model/toDisplayText';
import {
  parseDocumentAddress,
  parseResolvedAddress,
  parseRevisionAddress,
} from '../../platform/documentUris';
import type { SessionProvider } from '../../platform/sessionProvider';

/**
 * Marks tabs of documents with their connection if there is more than one, because the documents
 * can have the same names.
 */
export class ConnectionDecorationProvider
  extends Disposable
  implements vscode.FileDecorationProvider
{
  private readonly changed = this.register(new vscode.EventEmitter<undefined>());
  readonly onDidChangeFileDecorations = this.changed.event;

  constructor(
    private readonly sessions: Pick<SessionProvider, 'connections' | 'onDidChangeConnections'>,
  ) {
    super();
    this.register(sessions.onDidChangeConnections(() => this.changed.fire(undefined)));
    this.register(vscode.window.registerFileDecorationProvider(this));
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const { connections } = this.sessions;
    const address =
      parseDocumentAddress(uri) ?? parseRevisionAddress(uri)?.address ?? parseResolvedAddress(uri);
    const connection = connections.find(({ id }) => id === address?.connectionId);
    if (!connection) return undefined;
    const badge = connectionBadges(connections).get(connection.id);
    return badge === undefined
      ? undefined
      : new vscode.FileDecoration(badge, toDisplayText(connection.label));
  }
}
