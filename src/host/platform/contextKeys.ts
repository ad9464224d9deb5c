import * as vscode from 'vscode';
import type { ContextKey, ContextKeys } from '../../manifest/contextKeys';

/** Sets a key that `when` clauses read. */
export function setContextKey<K extends ContextKey>(key: K, value: ContextKeys[K]): void {
  void vscode.commands.executeCommand('setContext', key, value);
}
