import * as vscode from 'vscode';
import { requireWritable } from '../../../core/api/readOnly';
import type { Connection } from '../../../core/model/connection';
import { type ConnectionId, connectionId } from '../../../core/model/ids';
import { commandEffects } from '../../../manifest/commandEffects';
import type { CommandId } from '../../../manifest/commands';
import { schemes } from '../../../manifest/contributions';
import type { SessionProvider } from '../sessionProvider';

/**
 * Rejects a command that would change something in a read-only connection, before the command
 * prompts for anything. Commands that determine their connection only later are rejected by
 * `requireRight` or by the connection's transport.
 * @throws ReadOnlyConnectionError
 */
export function rejectChanges(
  sessions: Pick<SessionProvider, 'active' | 'connection'>,
  command: CommandId,
  args: readonly unknown[],
): void {
  requireWritable(findChangedConnection(sessions, command, args), vscode.l10n);
}

function findChangedConnection(
  sessions: Pick<SessionProvider, 'active' | 'connection'>,
  command: CommandId,
  args: readonly unknown[],
): Connection | undefined {
  switch (commandEffects[command]) {
    case 'nothing':
    case 'choice':
    case 'pending':
      return undefined;
    case 'fleet': {
      const id = findConnectionId(args);
      return id === undefined ? sessions.active : sessions.connection(id);
    }
    case 'document': {
      const editor = vscode.window.activeTextEditor?.document.uri;
      const id = findConnectionId(args) ?? (editor && getConnectionId(editor));
      return id === undefined ? undefined : sessions.connection(id);
    }
  }
}

/** Returns the connection of the first target, document address, or document in the arguments. */
function findConnectionId(args: readonly unknown[]): ConnectionId | undefined {
  for (const argument of args.flat()) {
    const id = getConnectionId(argument);
    if (id !== undefined) return id;
  }
  return undefined;
}

const ownSchemes: ReadonlySet<string> = new Set(Object.values(schemes));

function getConnectionId(argument: unknown): ConnectionId | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  if ('scheme' in argument && 'authority' in argument) {
    const { scheme, authority } = argument as vscode.Uri;
    return ownSchemes.has(scheme) && authority !== '' ? connectionId(authority) : undefined;
  }
  return 'connectionId' in argument && typeof argument.connectionId === 'string'
    ? connectionId(argument.connectionId)
    : undefined;
}
